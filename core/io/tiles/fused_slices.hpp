#pragma once

#include <memory>
#include <vector>

#include "core/apr/convert/slice_source.hpp"
#include "core/io/tiles/tile_set.hpp"

// Private to core/io: tiles as one image.

namespace aprscope {

/// The image of all tiles, slice by slice: where tiles overlap, their mean, with weights that fall
/// to the edges of each as a cosine does; where one alone lies, its pixels as they are; where none
/// lies, 0. Holds a slice of a tile, two planes of sums, and what the readers of up to
/// `kMostOpenTiles` tiles read ahead: where more lie beside each other, the others are opened for
/// each slice.
std::unique_ptr<SliceSource> fused_slices(TileSet set, TileReaders readers,
                                          const SourceSelection& selection, SampleKind kind,
                                          Volume header);

/// Files of many tiles would take all file handles, and their readers much memory.
inline constexpr int kMostOpenTiles = 64;

/// The weight of pixel i of n along one dimension of a tile: rises from its edges over at most
/// `kBlend` pixels, and an eighth of the tile.
inline constexpr std::int64_t kBlend = 64;
float blend_weight(std::int64_t i, std::int64_t n);

}  // namespace aprscope
