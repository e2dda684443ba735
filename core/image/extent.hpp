#pragma once

#include <algorithm>
#include <cmath>

#include "core/image/volume.hpp"

namespace aprscope {

/// Whether two grids cover the same box, as an overview of an image and the image do: each side is
/// as long, to within a voxel of the coarser one.
inline bool same_extent(const Size3& a, const VoxelSize& of_a, const Size3& b,
                        const VoxelSize& of_b) {
  const auto as_long = [](std::int64_t n, double side, std::int64_t m, double other) {
    const double off = static_cast<double>(n) * side - static_cast<double>(m) * other;
    return std::abs(off) < std::max(side, other) * (1.0 - 1e-9);
  };
  return of_a.unit == of_b.unit && as_long(a.z, of_a.z, b.z, of_b.z) &&
         as_long(a.x, of_a.x, b.x, of_b.x) && as_long(a.y, of_a.y, b.y, of_b.y);
}

}  // namespace aprscope
