#pragma once

#include "core/apr/conversion.hpp"
#include "core/pipeline/operation.hpp"

namespace aprscope {

/// The parameters of conversion that a complete "convert" operation stands for. With
/// use_voxel_size, distances are the voxel size ÷ its smallest component, so that thresholds stay
/// in grey values a pixel and an isotropic image converts as without it.
ConversionParameters conversion_parameters(const Operation& convert, const VoxelSize& voxel);

}  // namespace aprscope
