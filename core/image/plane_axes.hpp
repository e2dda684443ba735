#pragma once

#include <cstdint>

#include "core/image/volume.hpp"

namespace aprscope {

/// Which dimensions are the rows and the columns of a slice perpendicular to `axis`; see Plane.
inline Axis row_axis(Axis axis) { return axis == Axis::z ? Axis::x : Axis::z; }
inline Axis col_axis(Axis axis) { return axis == Axis::y ? Axis::x : Axis::y; }

/// The component of a position, or of a voxel's size, along an axis.
inline std::int64_t& component(Index3& p, Axis axis) {
  return axis == Axis::z ? p.z : axis == Axis::x ? p.x : p.y;
}
inline std::int64_t component(const Index3& p, Axis axis) {
  return axis == Axis::z ? p.z : axis == Axis::x ? p.x : p.y;
}
inline double component(const VoxelSize& v, Axis axis) {
  return axis == Axis::z ? v.z : axis == Axis::x ? v.x : v.y;
}

/// "z", "x" or "y".
inline const char* axis_name(Axis axis) {
  return axis == Axis::z ? "z" : axis == Axis::x ? "x" : "y";
}

}  // namespace aprscope
