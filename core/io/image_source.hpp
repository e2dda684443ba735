#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "core/apr/convert/slice_source.hpp"
#include "core/base/job_context.hpp"
#include "core/io/common/source_info.hpp"

namespace aprscope {

/// The path of an image: for a folder without the slash at its end; for a file in it that describes
/// it (zarr.json, …) the folder; other paths as they are.
std::filesystem::path image_path(const std::filesystem::path& given);

/// Whether a text names a dataset after a colon, as inspect() reads it.
bool names_dataset(const std::string& path);

/// Finds the format of a file by its content, whatever its name, and reads its headers. `path` may
/// carry an HDF5 dataset as in "file.h5:/group/volume"; without one and with several volumes in the
/// file, the largest is chosen and `datasets` lists them. Pixels of BigDataViewer (HDF5, N5)
/// without one stand for the XML file of their name beside them, if it names them. Never waits for
/// what is no regular file. Errors name the file, what is wrong and what to do; cancelled.
Result<SourceInfo> inspect(const std::string& path, const JobContext& context = {});

/// Reads one channel and time point of what inspect() has found; a file that is of another format
/// by now is an error. Sizes are checked against the file before memory is taken. A file that is
/// replaced, written to or cut off meanwhile is an error.
Result<Data> load(const SourceInfo& info, const SourceSelection& selection = {},
                  const JobContext& context = {});

/// A pixel image slice by slice, with the pixels that load() gives, for images that do not fit in
/// memory. Errors: those of load(), particles. Once the file has changed since it was opened, each
/// slice is an error.
Result<std::unique_ptr<SliceSource>> open_slices(const SourceInfo& info,
                                                 const SourceSelection& selection = {});

/// Whether open_slices() reads images of this kind of file.
bool reads_slices(const SourceInfo& info);

/// inspect() and load() of the first channel and time point.
Result<Data> load_file(const std::string& path, const JobContext& context = {});

}  // namespace aprscope
