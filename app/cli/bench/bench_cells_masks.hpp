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

/// A mask of pixels set at random.
NamedMask noise_mask(const Size3& size, int percent);

/// A mask set where a sum of waves is above its mean: blobs and tunnels tens of pixels wide.
NamedMask smooth_mask(const Size3& size);

/// A mask of walls of three pixels around boxes of 40 pixels.
NamedMask wall_mask(const Size3& size);

/// Whether an image has no values but 0 and one other.
bool is_mask(const Volume& volume);

/// The pixels of an image that are not zero.
NamedMask mask_of(const std::string& name, const Volume& volume);

}  // namespace aprscope::cli
