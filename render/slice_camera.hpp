#pragma once

namespace aprscope {

/// The part of a plane that a slice view shows: the point at its centre (fractional pixels of the
/// plane) and its scale (logical screen pixels per unit of the voxel size).
struct SliceCamera {
  double row = 0.0;
  double col = 0.0;
  double scale = 1.0;
};

}  // namespace aprscope
