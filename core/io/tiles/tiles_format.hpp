#pragma once

#include "core/io/common/format.hpp"
#include "core/io/tiles/tile_set.hpp"

namespace aprscope {

/// Lists of tiles, which are one image: see fused_slices(). Its voxel size and channels are those
/// of the first tile.
Format tiles_format(const TileReaders& readers);

}  // namespace aprscope
