#pragma once

#include <array>

#include "core/image/labels.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// What labels do not know of the image that they belong to.
struct LabelImageFacts {
  Size3 size;
  VoxelSize voxel;
  /// See Volume::origin.
  std::array<double, 3> origin{0.0, 0.0, 0.0};
};

}  // namespace aprscope
