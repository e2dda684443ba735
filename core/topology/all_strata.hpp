#pragma once

#include "core/image/volume.hpp"
#include "core/topology/strata.hpp"

namespace aprscope {

/// How many strata of each kind an image has in all: what has not entered at other levels has at
/// one that cannot be told from what is outside of the image.
inline StrataCounts::OfLevel all_strata(const Size3& size, Construction construction) {
  StrataCounts::OfLevel all{};
  const int open = construction == Construction::closed_voxels ? 1 : -1;
  for (std::size_t s = 0; s < 8; ++s) {
    const std::int64_t z = size.z + ((s & 4U) != 0 ? 0 : open);
    const std::int64_t x = size.x + ((s & 2U) != 0 ? 0 : open);
    const std::int64_t y = size.y + ((s & 1U) != 0 ? 0 : open);
    all[s] = z * x * y;
  }
  return all;
}

}  // namespace aprscope
