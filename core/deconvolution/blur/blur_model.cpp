#include "core/deconvolution/blur/blur_model.hpp"

#include <algorithm>
#include <cmath>

namespace aprscope {
namespace {

// Pixels of [i · side, (i + 1) · side) that lie in an image of n.
double inside(std::int64_t i, std::int64_t side, std::int64_t n) {
  return static_cast<double>(std::min(n, (i + 1) * side) - i * side);
}

void append(std::vector<WeightRun>& runs, std::uint64_t end, double weight) {
  const std::uint64_t begin = runs.empty() ? 0 : runs.back().end;
  if (end == begin) return;
  if (!runs.empty() && runs.back().weight == weight) {
    runs.back().end = end;
  } else {
    runs.push_back({end, weight});
  }
}

}  // namespace

std::vector<WeightRun> cell_volumes(const AprAccess& access) {
  const LinearAccess& cells = access.particles();
  const Size3& n = access.size();
  std::vector<WeightRun> runs;
  for (int l = cells.level_first(); l <= cells.level_last(); ++l) {
    if (cells.level(l).empty()) continue;
    const Size3& grid = cells.grid(l);
    const std::int64_t side = std::int64_t{1} << (access.level_max() - l);
    for (std::int64_t z = 0; z < grid.z; ++z) {
      for (std::int64_t x = 0; x < grid.x; ++x) {
        const ParticleRange row = cells.row(l, z, x);
        if (row.empty()) continue;
        const double area = inside(z, side, n.z) * inside(x, side, n.x);
        // Only the last cell of a row can reach beyond the end of the image.
        const auto last = static_cast<std::int64_t>(cells.y()[row.end - 1]);
        const double length = inside(last, side, n.y);
        append(runs, row.end - 1, area * static_cast<double>(side));
        append(runs, row.end, area * length);
      }
    }
  }
  return runs;
}

Stencil flipped(const Stencil& stencil) {
  Stencil out = stencil;
  std::reverse(out.weights.begin(), out.weights.end());
  return out;
}

bool gives_one_for_one(const Stencil& psf, Boundary boundary) {
  return boundary == Boundary::reflect && std::abs(psf.sum() - 1.0) < 1e-6;
}

}  // namespace aprscope
