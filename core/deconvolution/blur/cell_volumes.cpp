#include "core/deconvolution/blur/cell_volumes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace aprscope {
namespace {

// Pixels of [i · side, (i + 1) · side) that lie in an image of n.
double inside(std::int64_t i, std::int64_t side, std::int64_t n) {
  return static_cast<double>(std::min(n, (i + 1) * side) - i * side);
}

}  // namespace

void CellVolumes::append(std::uint64_t count, double weight) {
  if (count == 0) return;
  if (!runs_.empty() && runs_.back().weight == weight) {
    runs_.back().end += count;
  } else {
    runs_.push_back({(runs_.empty() ? 0 : runs_.back().end) + count, weight});
  }
}

bool CellVolumes::all_inside(int level) const {
  const std::int64_t side = std::int64_t{1} << (level_max_ - level);
  return size_.z % side == 0 && size_.x % side == 0 && size_.y % side == 0;
}

void CellVolumes::add_level(int level, std::uint64_t count) {
  append(count, std::ldexp(1.0, 3 * (level_max_ - level)));
}

void CellVolumes::add_row(int level, std::int64_t z, std::int64_t x,
                          std::span<const std::uint16_t> y) {
  if (y.empty()) return;
  const std::int64_t side = std::int64_t{1} << (level_max_ - level);
  const double area = inside(z, side, size_.z) * inside(x, side, size_.x);
  // Only the last cell of a row can reach beyond the end of the image.
  append(y.size() - 1, area * static_cast<double>(side));
  append(1, area * inside(y.back(), side, size_.y));
}

std::vector<WeightRun> cell_volumes(const AprAccess& access) {
  const LinearAccess& cells = access.particles();
  CellVolumes volumes(access.size(), access.level_max());
  for (int l = cells.level_first(); l <= cells.level_last(); ++l) {
    if (volumes.all_inside(l)) {
      volumes.add_level(l, cells.level(l).count());
      continue;
    }
    const Size3& grid = cells.grid(l);
    for (std::int64_t z = 0; z < grid.z; ++z) {
      for (std::int64_t x = 0; x < grid.x; ++x) {
        const ParticleRange row = cells.row(l, z, x);
        volumes.add_row(l, z, x, cells.y().subspan(row.begin, row.count()));
      }
    }
  }
  return volumes.take();
}

}  // namespace aprscope
