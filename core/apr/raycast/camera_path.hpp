#pragma once

#include <vector>

#include "core/apr/raycast/ray_camera.hpp"

namespace aprscope {

/// The camera a share `t` (0 to 1) of the way from one to another: turned about one axis at
/// constant speed, looking at the place between those that both look at (the point of the line of
/// sight that is nearest to the middle of the volume), lengths of the picture and distances in
/// geometric steps, so that zooming looks even. Edges of what is seen move evenly, to whole pixels.
/// At 0 and 1 it is the one and the other; it is perspective as the nearer of both.
RayCamera camera_between(const RayCamera& from, const RayCamera& to, double t, const Size3& size,
                         const VoxelSize& voxel);

/// The cameras of a flight from stop to stop: `steps` pictures from each to the next, slow at both,
/// and the last stop. Fewer than two stops: these. Directions of stops
/// that are not orthonormal are made so. `size` and `voxel`: of the volume.
std::vector<RayCamera> camera_path(std::vector<RayCamera> stops, int steps, const Size3& size,
                                   const VoxelSize& voxel);

}  // namespace aprscope
