#pragma once

#include <array>

#include "core/image/labels.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// Facts about the image that labels belong to, which labels do not hold themselves.
struct LabelImageFacts {
  Size3 size;
  VoxelSize voxel;
  /// See Volume::origin.
  std::array<double, 3> origin{0.0, 0.0, 0.0};
};

}  // namespace aprscope
