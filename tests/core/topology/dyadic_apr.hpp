#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/apr/structure/apr.hpp"
#include "core/base/result.hpp"

namespace aprscope::test {

/// A cell of a partition into dyadic boxes: its first pixel (z, x, y), side and value.
struct DyadicCell {
  std::array<std::int64_t, 3> corner{};
  std::int64_t side = 1;
  std::uint16_t value = 0;
};

/// Particles of such cells, with a field.
inline Result<Apr> dyadic_apr(const Size3& size, const std::vector<DyadicCell>& cells) {
  const int level_max = finest_level(size);
  // (level, row of the level, y) is the order of particles.
  std::map<std::array<std::int64_t, 4>, std::uint16_t> sorted;
  for (const DyadicCell& cell : cells) {
    int level = level_max;
    while (std::int64_t{1} << (level_max - level) < cell.side) --level;
    sorted[{level, cell.corner[0] / cell.side, cell.corner[1] / cell.side,
            cell.corner[2] / cell.side}] = cell.value;
  }
  std::vector<std::uint16_t> ys;
  std::vector<std::uint16_t> values;
  std::vector<std::uint64_t> xz_end{0};
  auto next = sorted.begin();
  for (int level = 1; level <= level_max; ++level) {
    const Size3 grid = level_grid(size, level_max, level);
    for (std::int64_t row = 0; row < grid.z * grid.x; ++row) {
      for (; next != sorted.end() && next->first[0] == level &&
             next->first[1] * grid.x + next->first[2] == row;
           ++next) {
        ys.push_back(static_cast<std::uint16_t>(next->first[3]));
        values.push_back(next->second);
      }
      xz_end.push_back(ys.size());
    }
  }
  auto access =
      LinearAccess::create(size, level_max, 1, level_max, std::move(ys), std::move(xz_end));
  if (!access) return access.error();
  auto whole = AprAccess::create(std::move(*access));
  if (!whole) return whole.error();
  Apr apr;
  apr.access = *whole;
  apr.fields.push_back(
      std::make_shared<const Field>(Field{"particle_intensities", std::move(values)}));
  apr.name = "dyadic";
  return apr;
}

}  // namespace aprscope::test
