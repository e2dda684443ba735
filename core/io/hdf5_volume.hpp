#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "core/base/job_context.hpp"
#include "core/io/image_source.hpp"

// Private to core/io: pixel images in HDF5 files.

namespace aprscope {

/// Lists the numeric datasets of 2 to 5 dimensions in a file, at any depth, and describes
/// `dataset`, or the largest when it is empty. The last dimensions are z, x, y (2-D: x, y); before
/// them stand the channel (4-D) or time point and channel (5-D). The voxel size comes from the
/// attribute element_size_um (z, x, y in µm) of the dataset or its group. Errors name the file: no
/// such dataset, none at all, sizes that the file cannot hold.
Result<SourceInfo> inspect_hdf5(const std::filesystem::path& path, const std::string& dataset);

/// Reads one channel and time point of info.dataset; types that Volume does not keep become f32.
Result<Volume> load_hdf5(const SourceInfo& info, const SourceSelection& selection,
                         const JobContext& context);

/// The same slice by slice.
Result<std::unique_ptr<SliceSource>> open_hdf5_slices(const SourceInfo& info,
                                                      const SourceSelection& selection);

/// True when the file has a group /ParticleRepr, which makes it an .apr file.
Result<bool> holds_particles(const std::filesystem::path& path);

}  // namespace aprscope
