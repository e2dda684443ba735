#pragma once

namespace aprscope {

/// Where a slice view looks: the point at its centre (fractional pixels of the plane) and logical
/// screen pixels per unit of the voxel size.
struct SliceCamera {
  double row = 0.0;
  double col = 0.0;
  double scale = 1.0;
};

}  // namespace aprscope
