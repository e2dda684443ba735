#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/apr/raycast/raycast.hpp"
#include "core/image/region.hpp"
#include "render/channel_volume.hpp"

// What a 3-D view shows where its volume is an overview of a finer one.

namespace aprscope {

/// A part of the volume with smaller cells.
struct MipDetail {
  /// The part alone, whose first cell lies at 0.
  std::shared_ptr<const Raycaster> raycaster;
  /// How often the pixels of the view's volume were halved to make its cells.
  int finer = 0;
  /// The cells that it has, counted from the beginning of the volume.
  Region cells;
  /// The same part of channels, for pictures of several.
  std::vector<ChannelVolume> channels;
};

/// The part of a channel; null: there is none.
std::shared_ptr<const Raycaster> part_of(const MipDetail& detail, int channel);

/// The side of cells after so many halvings of pixels, and how many there are.
VoxelSize finer_voxel(const VoxelSize& voxel, int finer);
Size3 finer_size(const Size3& size, int finer);

/// A camera that sees the same in a volume of the same place whose pixels were halved.
RayCamera finer_camera(const RayCamera& camera, int finer);

/// The camera that sees the part by itself as `camera` sees it in its place; `voxel`: of the view's
/// volume.
RayCamera camera_to(const MipDetail& detail, const RayCamera& camera, const VoxelSize& voxel);

/// Whether all that a picture of `aspect` (width ÷ height) shows of a volume of `size` is in the
/// part.
bool covers(const MipDetail& detail, const RayCamera& camera, const Size3& size,
            const VoxelSize& voxel, double aspect);

}  // namespace aprscope
