#pragma once

#include "core/apr/raycast/raycast.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// The values of another volume on a surface: for each ray the value of the pixel that it enters
/// there; NaN where there is no surface or the value is not finite. `depths`: see
/// Raycaster::surface(); `values` are as many pixels as the data has, with its voxel size `voxel`,
/// whatever their own voxel size is. Same values for any thread count. Errors: cancelled. Throws
/// std::bad_alloc.
Result<RayImage> surface_paint(const RayImage& depths, const RayCamera& camera,
                               const VoxelSize& voxel, const Volume& values,
                               const JobContext& context = {});

}  // namespace aprscope
