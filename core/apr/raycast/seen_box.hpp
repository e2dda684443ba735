#pragma once

#include <optional>

#include "core/apr/raycast/ray_camera.hpp"

namespace aprscope {

/// The smallest box of pixels outside of which the rays of a picture meet nothing of a volume (or
/// of `camera.only`); `aspect`: width ÷ height of the picture. None: they all pass it by.
std::optional<Region> seen_box(const RayCamera& camera, const Size3& size, const VoxelSize& voxel,
                               double aspect);

}  // namespace aprscope
