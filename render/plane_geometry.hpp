#pragma once

#include <cstdint>

#include "core/image/plane_axes.hpp"

namespace aprscope {

/// The geometry of slices perpendicular to an axis: which dimension runs along rows and which along
/// columns, and how large a pixel is in both directions.
struct PlaneGeometry {
  Axis axis = Axis::z;
  Axis row_axis = Axis::x;
  Axis col_axis = Axis::y;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t count = 0;
  double row_size = 1.0;
  double col_size = 1.0;
  double thickness = 1.0;

  PlaneGeometry() = default;
  PlaneGeometry(Axis normal, const Size3& size, const VoxelSize& voxel) : axis(normal) {
    row_axis = aprscope::row_axis(axis);
    col_axis = aprscope::col_axis(axis);
    plane_shape(size, axis, rows, cols);
    count = plane_count(size, axis);
    row_size = along(voxel, row_axis);
    col_size = along(voxel, col_axis);
    thickness = along(voxel, axis);
  }

  static double along(const VoxelSize& voxel, Axis a) {
    const double d = component(voxel, a);
    return d > 0.0 ? d : 1.0;
  }
};

}  // namespace aprscope
