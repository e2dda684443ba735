#pragma once

#include "core/base/job_context.hpp"
#include "core/io/common/format.hpp"

// Private to core/io.

namespace aprscope {

/// Reads as Format::exactly says; otherwise like load().
Status read_exactly(const SourceInfo& info, const SourceSelection& selection,
                    const SliceVisitor& visit, const JobContext& context);

}  // namespace aprscope
