#pragma once

#include <array>
#include <cmath>
#include <random>

#include "core/image/volume.hpp"

namespace aprscope::test {

/// Positions in the unit of the voxel size, from the centre of a shape.
using Point = std::array<double, 3>;

/// A mask of the pixels whose centres a shape contains: in(point), about the middle of the image
/// and an offset of less than half a voxel.
template <class In>
Pixels<std::uint8_t> phantom(const Size3& size, const VoxelSize& voxel, std::uint64_t seed,
                             const In& in) {
  std::mt19937_64 random(seed);
  std::array<double, 3> middle{};
  const std::array<double, 3> side{voxel.z, voxel.x, voxel.y};
  const std::array<double, 3> count{static_cast<double>(size.z), static_cast<double>(size.x),
                                    static_cast<double>(size.y)};
  for (std::size_t i = 0; i < 3; ++i) {
    const double offset = static_cast<double>(random() >> 11U) * 0x1p-53 - 0.5;
    middle[i] = side[i] * ((count[i] - 1.0) / 2.0 + offset);
  }
  Pixels<std::uint8_t> mask(size);
  for (std::int64_t z = 0; z < size.z; ++z) {
    for (std::int64_t x = 0; x < size.x; ++x) {
      for (std::int64_t y = 0; y < size.y; ++y) {
        const Point p{side[0] * static_cast<double>(z) - middle[0],
                      side[1] * static_cast<double>(x) - middle[1],
                      side[2] * static_cast<double>(y) - middle[2]};
        mask.at(z, x, y) = in(p) ? 1 : 0;
      }
    }
  }
  return mask;
}

inline double length(const Point& p) { return std::hypot(p[0], p[1], p[2]); }

/// Between two radii.
inline bool in_shell(const Point& p, double inner, double outer) {
  const double r = length(p);
  return r >= inner && r <= outer;
}

/// The wall of a torus about an axis (0: z, 1: x, 2: y).
inline bool in_torus_wall(const Point& p, std::size_t axis, double ring, double inner,
                          double outer) {
  const double along = p[axis];
  const double across = std::hypot(p[(axis + 1) % 3], p[(axis + 2) % 3]) - ring;
  const double r = std::hypot(along, across);
  return r >= inner && r <= outer;
}

}  // namespace aprscope::test
