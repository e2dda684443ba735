#include "core/filter/stencil_pyramid.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace aprscope {
namespace {

// Size of a restricted stencil in one dimension.
std::int64_t restricted_size(std::int64_t n, std::int64_t s) {
  if (n == 1) return 1;
  const std::int64_t reach = ((n - 1) / 2 + s - 1) / s;
  return std::max<std::int64_t>(2 * reach + 1, 3);
}

// The 1-D operator of restriction: share(o, i) of the weight of tap i goes to coarse cell o, i.e.
// the part of a cell [0, s) that, shifted by the tap, lies in the coarse cell o.
std::vector<double> shares(std::int64_t n, std::int64_t s) {
  const std::int64_t m = restricted_size(n, s);
  std::vector<double> table(static_cast<std::size_t>(m * n), 0.0);
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t begin = i - n / 2;  // the shifted cell is [begin, begin + s)
    for (std::int64_t o = 0; o < m; ++o) {
      const std::int64_t cell = (o - m / 2) * s;
      const std::int64_t overlap = std::min(begin + s, cell + s) - std::max(begin, cell);
      if (overlap > 0) {
        table[static_cast<std::size_t>(o * n + i)] =
            static_cast<double>(overlap) / static_cast<double>(s);
      }
    }
  }
  return table;
}

}  // namespace

Stencil restrict_stencil(const Stencil& stencil, int delta_level) {
  if (delta_level <= 0) return stencil;
  // Cells larger than the stencil by far all see the same limit; 2^30 keeps the sums exact.
  const std::int64_t s = std::int64_t{1} << std::min(delta_level, 30);
  const Size3 n = stencil.size;
  const Size3 m{restricted_size(n.z, s), restricted_size(n.x, s), restricted_size(n.y, s)};
  const std::vector<double> share_z = shares(n.z, s);
  const std::vector<double> share_x = shares(n.x, s);
  const std::vector<double> share_y = shares(n.y, s);
  const auto index = [](std::int64_t a, std::int64_t b) { return static_cast<std::size_t>(a + b); };
  // One dimension after the other: n³ · m instead of n³ · m³.
  std::vector<double> along_y(static_cast<std::size_t>(n.z * n.x * m.y), 0.0);
  for (std::int64_t r = 0; r < n.z * n.x; ++r) {
    for (std::int64_t o = 0; o < m.y; ++o) {
      for (std::int64_t i = 0; i < n.y; ++i) {
        along_y[index(r * m.y, o)] +=
            share_y[index(o * n.y, i)] * stencil.weights[index(r * n.y, i)];
      }
    }
  }
  std::vector<double> along_x(static_cast<std::size_t>(n.z * m.x * m.y), 0.0);
  for (std::int64_t z = 0; z < n.z; ++z) {
    for (std::int64_t o = 0; o < m.x; ++o) {
      for (std::int64_t i = 0; i < n.x; ++i) {
        for (std::int64_t y = 0; y < m.y; ++y) {
          along_x[index((z * m.x + o) * m.y, y)] +=
              share_x[index(o * n.x, i)] * along_y[index((z * n.x + i) * m.y, y)];
        }
      }
    }
  }
  Stencil out;
  out.size = m;
  out.name = stencil.name;
  out.weights.assign(static_cast<std::size_t>(m.count()), 0.0);
  const std::int64_t plane = m.x * m.y;
  for (std::int64_t o = 0; o < m.z; ++o) {
    for (std::int64_t i = 0; i < n.z; ++i) {
      for (std::int64_t r = 0; r < plane; ++r) {
        out.weights[index(o * plane, r)] +=
            share_z[index(o * n.z, i)] * along_x[index(i * plane, r)];
      }
    }
  }
  return out;
}

Result<StencilPyramid> StencilPyramid::create(const Stencil& stencil, StencilMode mode,
                                              bool normalize, int level_max) {
  if (Status ok = check(stencil); !ok) return ok.error();
  std::vector<Stencil> levels(static_cast<std::size_t>(level_max) + 1);
  double scale = 1.0;
  for (int l = level_max; l >= 0; --l, scale *= 0.5) {
    Stencil& s = levels[static_cast<std::size_t>(l)];
    s = mode == StencilMode::restricted ? restrict_stencil(stencil, level_max - l) : stencil;
    if (normalize) s = s.normalized();
    if (mode == StencilMode::rescaled) {
      for (double& w : s.weights) w *= scale;
      // Weights that sum to 1 do so on every level; only derivatives have a scale to keep.
      if (normalize) s = s.normalized();
    }
  }
  return from_levels(std::move(levels));
}

Result<StencilPyramid> StencilPyramid::from_levels(std::vector<Stencil> stencils) {
  if (stencils.empty()) return Error{"there is no stencil", "stencil pyramid", "give one a level"};
  for (std::size_t l = 0; l < stencils.size(); ++l) {
    if (Status ok = check(stencils[l]); !ok) {
      Error error = ok.error();
      error.where += ", level " + std::to_string(l);
      return error;
    }
  }
  StencilPyramid pyramid;
  pyramid.stencils_ = std::move(stencils);
  return pyramid;
}

}  // namespace aprscope
