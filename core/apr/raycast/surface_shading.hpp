#pragma once

#include "core/apr/raycast/raycast.hpp"

namespace aprscope {

/// How bright a surface is in the light of a lamp beside the camera, from 0 to 1; NaN where there
/// is no surface. `depths`: see Raycaster::surface(). Its slope is that of neighbouring depths,
/// averaged over about `grain` (world units; cells are cubes, whose steps would hide the shape),
/// but not across edges. Errors: cancelled. Throws std::bad_alloc.
Result<RayImage> shade_surface(const RayImage& depths, const RayCamera& camera, double grain,
                               const JobContext& context = {});

}  // namespace aprscope
