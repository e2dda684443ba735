#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/base/job_context.hpp"
#include "core/io/common/format.hpp"
#include "core/io/hdf5/hdf5_reader.hpp"

// Private to core/io: pixel images in HDF5 files.

namespace aprscope {

/// Lists the numeric datasets of 2 to 5 dimensions in the file, at any depth, and describes
/// `dataset`, or the largest when it is empty. The last dimensions are z, x, y (2-D: x, y); before
/// them stand the channel (4-D) or time point and channel (5-D). The voxel size comes from the
/// attribute element_size_um (z, x, y in µm) of the dataset or its group. Errors name the file: no
/// such dataset, none at all, sizes that the file cannot hold, cancelled.
Result<SourceInfo> inspect_hdf5(const std::shared_ptr<Hdf5Reader>& reader,
                                const std::string& dataset, const JobContext& context);

/// Reads one channel and time point of info.dataset; types that Volume does not keep become f32.
/// `first`: reads only so many pixels along z, x, y, if the rest is padding; an error if the
/// dataset has fewer.
Result<Volume> load_hdf5(const SourceInfo& info, const SourceSelection& selection,
                         const JobContext& context, const std::optional<Size3>& first = {});

/// Reads as Format::exactly says; `first` as in load_hdf5().
Status read_hdf5_exactly(const SourceInfo& info, const SourceSelection& selection,
                         const SliceVisitor& visit, const JobContext& context,
                         const std::optional<Size3>& first = {});

/// The same slice by slice.
Result<std::unique_ptr<SliceSource>> open_hdf5_slices(const SourceInfo& info,
                                                      const SourceSelection& selection,
                                                      const std::optional<Size3>& first = {});

}  // namespace aprscope
