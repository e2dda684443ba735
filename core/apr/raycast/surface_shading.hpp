#pragma once

#include "core/apr/raycast/raycast.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// How bright a surface is in the light of a lamp beside the camera, from 0 to 1; NaN where there
/// is no surface. `depths`: see Raycaster::surface(). Its slope is that of neighbouring depths,
/// averaged over about `grain` (world units; cells are cubes, whose steps would hide the shape),
/// but not across edges. Errors: cancelled. Throws std::bad_alloc.
Result<RayImage> shade_surface(const RayImage& depths, const RayCamera& camera, double grain,
                               const JobContext& context = {});

/// The surface of what is at least `at` in data of a voxel size.
struct SurfaceAt {
  float at = 0.0F;
  VoxelSize voxel;
};
/// That surface by shade_surface(), at the finest level and with the widest side of a voxel as
/// grain. Errors: those of Raycaster::surface().
Result<RayImage> lit_surface(const Raycaster& raycaster, const RayCamera& camera, int width,
                             int height, const SurfaceAt& surface, const JobContext& context = {});

}  // namespace aprscope
