#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/apr/convert/slice_source.hpp"
#include "core/base/job_context.hpp"
#include "core/io/common/source_info.hpp"

// Private to core/io: the tiles of a list, opened.

namespace aprscope {

/// How tiles are read: inspect() and open_slices(), which stand above this folder.
struct TileReaders {
  std::function<Result<SourceInfo>(const std::string& path, const JobContext& context)> inspect;
  std::function<Result<std::unique_ptr<SliceSource>>(const SourceInfo& info,
                                                     const SourceSelection& selection)>
      slices;
};

struct PlacedTile {
  SourceInfo info;
  /// Its first pixel in the image of all tiles.
  Index3 at{0, 0, 0};
};

struct TileSet {
  std::vector<PlacedTile> tiles;
  /// The smallest box that holds all tiles.
  Size3 size{1, 1, 1};
};

/// Reads a list and the headers of its tiles; positions are rounded to whole pixels. Errors name
/// the list or the tile: those of parse_tile_list() and of reading; a tile outside of the list's
/// folder, particles, lists; tiles of other samples, voxels, channels or time points than the
/// first; tiles with more room between them than a thousand times their pixels; cancelled.
Result<TileSet> open_tile_set(const std::filesystem::path& list, const TileReaders& readers,
                              const JobContext& context);

}  // namespace aprscope
