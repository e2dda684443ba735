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
/// less than two tiles, particles, tiles of another voxel size than the first; cancelled.
Result<std::vector<TileFile>> find_tiles(const std::vector<std::string>& paths,
                                         const SourceSelection& selection,
                                         const JobContext& context = {});

/// register_tiles() of a channel and time point.
Result<TileRegistration> register_files(const std::vector<TileFile>& tiles,
                                        const SourceSelection& selection,
                                        const RegistrationOptions& options,
                                        const JobContext& context = {});

/// Writes a list of tiles that is opened as one image. Errors: a tile that is not in the folder of
/// the list or below it; those of writing.
Status save_tile_list(const std::vector<TileFile>& tiles,
                      const std::vector<TilePosition>& positions,
                      const std::filesystem::path& path);

}  // namespace aprscope
