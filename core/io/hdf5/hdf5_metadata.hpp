#pragma once

#include <string>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/io/common/metadata_part.hpp"
#include "core/io/common/source_info.hpp"
#include "core/io/hdf5/hdf5_reader.hpp"

// Private to core/io: what HDF5 files say in attributes, for people.

namespace aprscope {

/// The attributes of objects, each object's below its path in brackets, a line "name = value" each;
/// those that are long lists or can't be spelled are named only. Objects without any are left out.
/// Errors: the file cannot be read any more, cancelled.
Result<std::string> spelled_attributes(const std::vector<Hdf5Object>& objects);

/// See Format::metadata: attributes of the dataset and of what it lies in.
Result<std::vector<MetadataPart>> read_hdf5_metadata(const SourceInfo& info,
                                                     const JobContext& context);

}  // namespace aprscope
