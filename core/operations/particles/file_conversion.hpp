#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/apr/convert/slice_source.hpp"
#include "core/apr/structure/apr.hpp"
#include "core/base/job_context.hpp"
#include "core/operations/schema/operation.hpp"

namespace aprscope {

/// Images with fewer pixels are converted in a few seconds anyway.
constexpr std::int64_t kKeptFromPixels = std::int64_t{1} << 30;

/// Facts about an .apr that was written while it was made.
struct FileConversionReport {
  /// Name, parameters and history, without structure and fields.
  Apr facts;
  Size3 size{1, 1, 1};
  /// Particles of level l at [l].
  std::vector<std::uint64_t> particles_per_level;
  std::uint64_t particles = 0;
  SampleKind kind = SampleKind::u16;
  /// The cells were those of an earlier run, see UnfinishedConversion.
  bool continued = false;
  /// Bytes that structure and values would take in memory, as Apr::bytes() counts them.
  std::uint64_t bytes = 0;
};

/// Converts an image that is read slice by slice into an .apr that is never whole in memory: the
/// same file, byte for byte, as convert_source() and write_apr(). `voxel` replaces the source's.
/// After an error `output` is as it was. Of an image of at least `kept_from` pixels, it is looked
/// up first whether the disk has room for its particles, and a run that died after the cells were
/// chosen is continued from there. Errors: those of SliceConversion and of writing, parameters; a
/// disk without room; an image that has changed since the run that is continued.
Result<FileConversionReport> convert_to_file(const Operation& convert, SliceSource& source,
                                             const VoxelSize& voxel,
                                             const std::filesystem::path& output, bool with_tree,
                                             const JobContext& context = {},
                                             std::int64_t kept_from = kKeptFromPixels);

/// Whether an image has cells to choose from: else every pixel is a particle, and it is converted
/// in memory.
bool converts_to_file(const Size3& size);

}  // namespace aprscope
