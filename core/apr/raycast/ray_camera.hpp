#pragma once

#include <array>
#include <optional>

#include "core/image/region.hpp"

namespace aprscope {

/// A camera in voxel units scaled by the voxel size: world coordinates are (y·dy, x·dx, z·dz) with
/// pixel (0, 0, 0) covering [0, dy] × [0, dx] × [0, dz]. `right`, `up`, `forward` are orthonormal
/// world directions (order y, x, z). Orthographic: rays are parallel to forward and the image is
/// `height_world` tall; perspective: rays leave `eye` with the vertical view angle. Orthographic
/// rays have no beginning: the eye gives only the middle of the image.
struct RayCamera {
  std::array<double, 3> eye{0, 0, 0};
  std::array<double, 3> right{1, 0, 0};
  std::array<double, 3> up{0, 1, 0};
  std::array<double, 3> forward{0, 0, 1};
  bool perspective = false;
  double height_world = 1.0;
  double view_angle_degrees = 30.0;
  /// Pixels that are seen; rays pass through everything else. None: the whole volume is seen.
  std::optional<Region> only;
};

}  // namespace aprscope
