#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/apr/convert/slice_source.hpp"
#include "core/apr/structure/apr.hpp"
#include "core/base/job_context.hpp"
#include "core/io/apr/apr_write.hpp"
#include "core/io/common/source_info.hpp"
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

/// How images become a file of particles.
struct FileConversion {
  Operation convert;
  /// Replaces that of the images.
  std::optional<VoxelSize> voxel;
  AprWriteOptions file = {};
  /// Work on fewer pixels neither looks up the disk nor can be continued.
  std::int64_t kept_from = kKeptFromPixels;
  /// Bytes to stay within, see most_within(); 0: what is free.
  std::uint64_t memory = 0;
};

/// Converts an image that is read slice by slice into an .apr that is never whole in memory: the
/// same file, byte for byte, as convert_source() and write_apr(). After an error `output` is as it
/// was. A run that died after the cells were chosen is continued from there; for any other it is
/// looked up first whether the disk has room for the particles. Errors: those of SliceConversion
/// and of writing, parameters; slices too large for the memory, see check_streamed_memory(); a disk
/// without room; an image that has changed since the run that is continued.
Result<FileConversionReport> convert_to_file(const FileConversion& how, SliceSource& source,
                                             const std::filesystem::path& output,
                                             const JobContext& context = {});

/// Opens a part of what is converted.
using OpenPart =
    std::function<Result<std::shared_ptr<SliceSource>>(const SourceSelection& selection)>;

/// convert_to_file() of several channels and time points of one data set, one after the other, to
/// one file: that of write_apr_series(). If the conversion says so, the parts of a time point,
/// which follow each other, share a structure, see shared_conversion(). `open` may be called more
/// than once for a part. Errors: as there, and those of `open`; of several parts with their place,
/// see in_part().
Result<std::vector<FileConversionReport>> convert_series_to_file(
    const FileConversion& how, std::span<const SourceSelection> parts, const OpenPart& open,
    const std::filesystem::path& output, const JobContext& context = {});

/// Whether an image has cells to choose from: else every pixel is a particle, and it is converted
/// in memory.
bool converts_to_file(const Size3& size);

}  // namespace aprscope
