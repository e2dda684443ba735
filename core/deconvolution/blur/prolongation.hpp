#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "core/apr/structure/access.hpp"

namespace aprscope::detail {

/// The two cells of the next coarser level that a cell lies between in one dimension of n cells:
/// its parent (3/4) and the parent's neighbour on the cell's side (1/4).
struct Between {
  std::int64_t parent = 0;
  std::int64_t other = 0;
  float parent_weight = 1.0F;
  float other_weight = 0.0F;
};
inline Between between(std::int64_t i, std::int64_t n) {
  const std::int64_t parent = i / 2;
  if (n == 1) return {parent, parent, 1.0F, 0.0F};
  return {parent, i % 2 == 0 ? parent - 1 : parent + 1, 0.75F, 0.25F};
}

/// Adds row (z, x) of the finest level to y: `coarse` holds the values −1 … of the row of the next
/// coarser level, already interpolated across, value k at coarse[k + 1].
inline void add_finest_row(const LinearAccess& cells, std::int64_t z, std::int64_t x,
                           const float* coarse, std::span<float> y) {
  const int level = cells.level_max();
  const ParticleRange row = cells.row(level, z, x);
  const std::uint16_t* const ys = cells.y().data();
  if (cells.grid(level).y == 1) {
    for (std::uint64_t i = row.begin; i < row.end; ++i) y[i] += coarse[1];
    return;
  }
  for (std::uint64_t i = row.begin; i < row.end; ++i) {
    const std::int64_t at = ys[i];
    const float* const c = coarse + 1 + at / 2;
    y[i] += 0.75F * c[0] + 0.25F * c[at % 2 == 0 ? -1 : 1];
  }
}

}  // namespace aprscope::detail
