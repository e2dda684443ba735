#pragma once

#include <string>

#include "core/base/job_context.hpp"
#include "core/image/labels.hpp"
#include "core/io/image_source.hpp"

namespace aprscope {

/// Labels of the pixels of an image of this size from a file that any tool wrote: whole numbers
/// from 0 to 2^32 - 1, of whatever sample type; `path` as inspect() takes it. Slices may stand
/// where the file has channels or time points, as some tools write them. Labels keep their numbers.
/// Errors name the file: those of load(); another size; a value that is no label, with its place;
/// particles; cancelled.
Result<Labels> read_labels(const std::string& path, const Size3& size,
                           const SourceSelection& selection = {}, const JobContext& context = {});

}  // namespace aprscope
