#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/apr/apr.hpp"
#include "core/apr/slice_source.hpp"
#include "core/base/job_context.hpp"

namespace aprscope {

/// What a file holds, known before any pixel is read. TIFF: pages are z, rows x, columns y.
struct SourceInfo {
  std::filesystem::path path;
  /// Format::id of its format in the table, which load() and open_slices() go by.
  std::string format_id;
  /// The kind of it, for people: "TIFF", "ImageJ TIFF", "OME-TIFF", "HDF5", "APR".
  std::string format;
  bool is_apr = false;
  Size3 size;
  /// "u8", … of the samples in the file.
  std::string dtype;
  VoxelSize voxel;
  std::vector<std::string> channels{"0"};
  int times = 1;
  /// HDF5: paths of all volumes inside the file; `dataset` is the one these facts are about. The
  /// last dimensions of a dataset are z, x, y; before them stand the channel (4-D) or the time
  /// point and the channel (5-D).
  std::vector<std::string> datasets;
  std::string dataset;
  /// APR only: particles, fields, finest level.
  std::uint64_t particles = 0;
  std::vector<std::string> fields;
  std::uint64_t file_bytes = 0;
};

/// What to read of it.
struct SourceSelection {
  int channel = 0;
  int time = 0;
};

/// Either a pixel image or an APR.
using Data = std::variant<Volume, Apr>;

/// Finds the format of a file by its content, whatever its name, and reads its headers. `path` may
/// carry an HDF5 dataset as in "file.h5:/group/volume"; without one and with several volumes in the
/// file, the largest is chosen and `datasets` lists them. Never waits for what is no regular file.
/// Errors name the file, what is wrong and what to do; cancelled.
Result<SourceInfo> inspect(const std::string& path, const JobContext& context = {});

/// Reads one channel and time point of what inspect() has found; a file that is of another format
/// by now is an error. Sizes are checked against the file before memory is taken. A file that is
/// replaced, written to or cut off meanwhile is an error.
Result<Data> load(const SourceInfo& info, const SourceSelection& selection = {},
                  const JobContext& context = {});

/// A pixel image slice by slice, with the pixels that load() gives, for images that do not fit in
/// memory. Errors: those of load(), particles. Each slice is refused once the file is another than
/// when it was opened.
Result<std::unique_ptr<SliceSource>> open_slices(const SourceInfo& info,
                                                 const SourceSelection& selection = {});

/// inspect() and load() of the first channel and time point.
Result<Data> load_file(const std::string& path, const JobContext& context = {});

}  // namespace aprscope
