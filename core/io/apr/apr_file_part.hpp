#pragma once

#include <optional>

#include "core/apr/sample/reconstruction.hpp"
#include "core/base/job_context.hpp"
#include "core/io/common/source_info.hpp"

namespace aprscope {

/// The level and region of an APR in a file to show.
struct AprFilePartRequest {
  /// Level of the image, 1 to the finest; 0 is the finest.
  int level = 0;
  /// Pixels of the full image; the result has the cells of `level` that these touch. None: all.
  std::optional<Region> region;
  /// The level of each particle instead of its value.
  bool levels = false;
};

/// An image made from a part of a file.
struct AprFilePart {
  /// f32 values; u8 and u16 at the finest level where particles have that type; u8 for levels.
  Volume image;
  int level = 0;
  /// Number of particles and cells of the tree whose values were read.
  std::uint64_t cells_read = 0;
};

/// The constant image of a level or region, from the rows of particles that it needs: coarser
/// levels lie first in a file, and rows of a level by z. Below the finest level it takes the means
/// from the tree in the file. Nothing when the file cannot be read in parts (the older layout; no
/// tree in it where one is needed, or none of these particles): load() it whole then. The image is
/// that of reconstruct() and reconstruct_at_level(). Errors: those of load(), among
/// them that the file changes meanwhile; a region or level that does not exist.
Result<std::optional<AprFilePart>> load_apr_file_part(const SourceInfo& info,
                                                      const SourceSelection& selection,
                                                      const AprFilePartRequest& request,
                                                      const JobContext& context = {});

}  // namespace aprscope
