#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/io/common/source_info.hpp"

namespace aprscope {

/// What the headers of an APR in a file say, and how its particles are spread over the levels.
struct AprSummary {
  Size3 size;
  VoxelSize voxel;
  /// Type of the main field; "" without fields.
  std::string dtype;
  std::uint64_t particles = 0;
  /// Particles of level i at [i]; index 0 is unused.
  std::vector<std::uint64_t> particles_per_level;
  /// Bytes of the lists and values of particles in memory. The tree, which is made when an APR is
  /// loaded, comes on top.
  std::uint64_t bytes = 0;
  /// Bytes of the pixel image in the type of the main field.
  std::uint64_t pixel_bytes = 0;
};

/// Reads headers and where each level ends, but no particles. None for files in the older layout:
/// load() them. Errors: a damaged file, as far as headers show it; a selection that the file does
/// not hold.
Result<std::optional<AprSummary>> summarize_apr(const SourceInfo& info,
                                                const SourceSelection& selection);

}  // namespace aprscope
