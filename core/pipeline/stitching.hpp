#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/io/common/source_info.hpp"
#include "core/tiles/registration.hpp"

namespace aprscope {

/// A tile in a file.
struct TileFile {
  SourceInfo info;
  /// Where the file, or the list that names it, says that its first pixel lies, in pixels.
  TilePosition position{0.0, 0.0, 0.0};
};

/// The tiles of files: all of a list, all images of a file that holds several (BigDataViewer), or
/// the image of a file; the latter two lie where their headers say. Errors: those of inspect(),
/// less than two tiles, particles, tiles of other samples, voxels, channels or time
/// points than the first; cancelled.
Result<std::vector<TileFile>> find_tiles(const std::vector<std::string>& paths,
                                         const SourceSelection& selection,
                                         const JobContext& context = {});

/// register_tiles() of a channel and time point.
Result<TileRegistration> register_files(const std::vector<TileFile>& tiles,
                                        const SourceSelection& selection,
                                        const RegistrationOptions& options,
                                        const JobContext& context = {});

/// How well tiles fit.
struct StitchFigures {
  std::size_t tiles = 0;
  /// Pairs that overlap, and those of them that count.
  std::size_t pairs = 0;
  std::size_t counting = 0;
  /// Root mean square of how far pairs that count are from the places in the end, in pixels; 0
  /// without any.
  double off_rms = 0.0;
  /// The farthest that a tile was moved in a dimension, in pixels.
  double largest_move = 0.0;
};
StitchFigures figures_of(const std::vector<TileFile>& tiles, const TileRegistration& found);

/// Whether an image is a list of tiles.
bool is_tile_set(const SourceInfo& info);
/// Whether a file holds several images that lie beside each other, as its format says
/// (BigDataViewer).
bool holds_tiles(const SourceInfo& info);

/// Registers the tiles of a list and writes them as another list. Errors: those of the steps;
/// `output` is the list itself.
Result<StitchFigures> stitch_list(const SourceInfo& list, const SourceSelection& selection,
                                  const RegistrationOptions& options,
                                  const std::filesystem::path& output,
                                  const JobContext& context = {});

/// Lists the tiles of a file where it says that they lie, without looking at them; returns how
/// many. Errors: those of the steps; tiles that are turned; `output` is the file itself.
Result<std::size_t> list_tiles(const SourceInfo& file, const SourceSelection& selection,
                               const std::filesystem::path& output, const JobContext& context = {});

/// Whether save_tile_list() can name all tiles: to be asked before they are registered.
Status check_tile_list(const std::vector<TileFile>& tiles, const std::filesystem::path& path);

/// Writes a list of tiles that is opened as one image. Errors: a tile that is not in the folder of
/// the list or below it, or has a name that a list cannot hold; those of writing.
Status save_tile_list(const std::vector<TileFile>& tiles,
                      const std::vector<TilePosition>& positions,
                      const std::filesystem::path& path);

}  // namespace aprscope
