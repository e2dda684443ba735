#pragma once

#include <cstdint>
#include <string>

#include "core/image/volume.hpp"

namespace aprscope::cli {

/// A mask with a name, for the rows of all families.
struct NamedMask {
  std::string name;
  Pixels<std::uint8_t> mask;
  VoxelSize voxel;
};

/// Pixels that are set by chance.
NamedMask noise_mask(const Size3& size, int percent);

/// Where a sum of waves is above its middle: blobs and tunnels some tens of pixels wide.
NamedMask smooth_mask(const Size3& size);

/// Walls of three pixels round boxes of 40.
NamedMask wall_mask(const Size3& size);

/// Whether an image has no values but 0 and one other.
bool is_mask(const Volume& volume);

/// What is not zero in an image.
NamedMask mask_of(const std::string& name, const Volume& volume);

}  // namespace aprscope::cli
