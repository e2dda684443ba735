#pragma once

#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/io/common/metadata_part.hpp"
#include "core/io/common/source_info.hpp"

namespace aprscope {

/// What the file of an image says of itself, as its writer put it there: OME-XML, descriptions of
/// ImageJ, attributes of HDF5, metadata of Zarr; indented where it is XML or JSON, in valid UTF-8
/// (see shown_metadata()), no more than kMostMetadata bytes in all. None where it says nothing.
/// Reads only the file, and what lies in its folder. Errors: the file cannot be read, cancelled.
Result<std::vector<MetadataPart>> original_metadata(const SourceInfo& info,
                                                    const JobContext& context = {});

}  // namespace aprscope
