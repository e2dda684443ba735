#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>

#include "core/apr/convert/slice_source.hpp"
#include "core/base/job_context.hpp"
#include "core/base/result.hpp"

// Private to core/io: arrays of Zarr as OME-Zarr keeps them: time where there are several, channel,
// z, y and x of the file.

namespace aprscope {

/// Sides of a chunk in z, x and y.
inline constexpr std::int64_t kZarrChunk = 64;

struct ZarrArrayPlan {
  /// Folder of the array, which does not exist yet.
  std::filesystem::path folder;
  Size3 size;
  SampleKind kind = SampleKind::u8;
  int channels = 1;
  int times = 1;
  /// Whether to write Zarr 3 with chunks in shards of one file; else Zarr 2.
  bool sharded = false;
};

/// Which channel and time point of an array.
struct ZarrPlace {
  int channel = 0;
  int time = 0;
};

/// Makes the folder and writes the metadata of the array. Errors: those of the disk.
Status write_zarr_array(const ZarrArrayPlan& plan);

/// Writes slices [z, z + depth) of one channel and time point, samples of the array's kind; z is a
/// multiple of kZarrChunk, and depth is kZarrChunk except at the end. Chunks of nothing but zeros
/// are left out, as other programs do. Packed by all threads; the bytes do not depend on how many.
/// Errors: those of the disk; cancelled.
Status write_zarr_slab(const ZarrArrayPlan& plan, const ZarrPlace& place, std::int64_t z,
                       std::int64_t depth, const void* samples, const JobContext& context);

/// Writes a new file. Errors name it.
Status write_new_file(const std::filesystem::path& path, const void* bytes, std::size_t count);

}  // namespace aprscope
