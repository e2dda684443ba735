#pragma once

#include "gpu/projections/tile_transform.hpp"

namespace aprscope::gpu {

/// The offset of Re G of a frequency, see FrequencyTiles::at().
__device__ inline std::int64_t offset_of(const TileView& t, int x, int y, int z) {
  const int ty = y + (t.half << t.shift);
  const int tz = z + (t.half << t.shift);
  const int tile =
      t.grid[((tz >> t.shift) * 2 * t.half + (ty >> t.shift)) * t.half + (x >> t.shift)];
  const int in = (1 << t.shift) - 1;
  return tile * (std::int64_t{3} << 3 * t.shift) +
         ((((tz & in) << t.shift) + (ty & in)) << t.shift) + (x & in);
}

__device__ inline std::int64_t square_of(int x, int y, int z) {
  return std::int64_t{x} * x + std::int64_t{y} * y + std::int64_t{z} * z;
}
__device__ inline bool in_ball(const TileView& t, int x, int y, int z) {
  return square_of(x, y, z) <= std::int64_t{t.reach} * t.reach;
}
/// round(|v|), in doubles, so that shells are the same as on the processor.
__device__ inline int shell_of(int x, int y, int z) {
  return static_cast<int>(lround(sqrt(static_cast<double>(square_of(x, y, z)))));
}

}  // namespace aprscope::gpu
