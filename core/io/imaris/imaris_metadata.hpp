#pragma once

#include <vector>

#include "core/base/job_context.hpp"
#include "core/io/common/metadata_part.hpp"
#include "core/io/common/source_info.hpp"

// Private to core/io: what an Imaris file says of its image.

namespace aprscope {

/// See Format::metadata: the attributes of the file and of all groups in DataSetInfo (image,
/// channels, times, microscope, log).
Result<std::vector<MetadataPart>> read_imaris_metadata(const SourceInfo& info,
                                                       const JobContext& context);

}  // namespace aprscope
