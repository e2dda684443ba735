#pragma once

#include <filesystem>

#include "core/apr/structure/apr.hpp"
#include "core/base/job_context.hpp"
#include "core/io/common/source_info.hpp"

namespace aprscope {

/// Reads the headers of an .apr file (HDF5 with a group /ParticleRepr, linear or random-access
/// layout). `size`, `particles` and `fields` are those of the first channel and time point.
/// Errors: not an .apr file, headers missing or impossible, cancelled.
Result<SourceInfo> inspect_apr(const std::filesystem::path& path, const JobContext& context = {});

/// Reads one channel and time point of an .apr file: structure, all particle fields (those with WNL
/// compression decoded) and tree fields; a u32 field "labels" becomes the labels of the APR. Every
/// count is checked against the file before memory is taken, and the structure is validated.
/// Errors: a damaged file, a selection that the file does not hold, too little memory, cancelled.
Result<Apr> load_apr(const SourceInfo& info, const SourceSelection& selection,
                     const JobContext& context = {});

}  // namespace aprscope
