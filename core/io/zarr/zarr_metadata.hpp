#pragma once

#include <vector>

#include "core/base/job_context.hpp"
#include "core/io/common/metadata_part.hpp"
#include "core/io/common/source_info.hpp"

// Private to core/io: the metadata of a store, as they are.

namespace aprscope {

/// See Format::metadata: the files that describe the array and the groups that it lies in, from the
/// store's own to the array's (zarr.json, .zgroup, .zattrs, .zarray, attributes.json), and
/// OME/METADATA.ome.xml, which converters leave there. Links out of the store are not followed.
Result<std::vector<MetadataPart>> read_zarr_metadata(const SourceInfo& info,
                                                     const JobContext& context);

}  // namespace aprscope
