#pragma once

#include "gpu/pixel/dense_grid.hpp"

namespace aprscope::gpu {

__device__ inline int fold(int i, int n) { return (i & 1) == 0 ? i >> 1 : n - 1 - (i >> 1); }

/// The offset of cell (z, x, y). Each index may be −1 to the grid's size, i.e. one outside on each
/// side; a folded grid is mirrored about its faces there.
__device__ inline std::int64_t grid_offset(const GridView& g, int z, int x, int y) {
  if (g.folded) {
    z = fold(min(max(z, 0), g.size.z - 1), g.size.z);
    x = fold(min(max(x, 0), g.size.x - 1), g.size.x);
    y = fold(min(max(y, 0), g.size.y - 1), g.size.y);
  } else {
    z += z < 0 ? g.padded.z : 0;
    x += x < 0 ? g.padded.x : 0;
    y += y < 0 ? g.padded.y : 0;
  }
  return (std::int64_t{z} * g.padded.x + x) * g.row + y;
}

}  // namespace aprscope::gpu
