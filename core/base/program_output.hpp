#pragma once

#include <string>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"

namespace aprscope {

/// What a program writes to stdout, which is run as run_program() does. Errors: those of
/// run_program(), no folder for temporary files.
Result<std::string> output_of(const std::vector<std::string>& command,
                              const JobContext& context = {});

}  // namespace aprscope
