#pragma once

#include <string>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"

namespace aprscope {

/// Runs a program as run_program() does and returns what it writes to stdout. Errors: those of
/// run_program(), no folder for temporary files.
Result<std::string> output_of(const std::vector<std::string>& command,
                              const JobContext& context = {});

}  // namespace aprscope
