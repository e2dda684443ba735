#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"

namespace aprscope {

/// Where a program lies that PATH leads to; none if it is not installed.
std::optional<std::string> find_program(const std::string& name);

/// Where a file lies that belongs to this program: beside it, or in libexec/aprscope of one of the
/// folders that hold it (/usr/bin/aprscope has /usr/libexec/aprscope, and so has each program of a
/// build). Where another program has loaded this code as a module (Python), it is the module that
/// it lies beside. What another user than the program's owner put there does not count, nor
/// programs that cannot be run where `runs`; none if it is not there.
std::optional<std::filesystem::path> find_part(const std::string& name, bool runs = false);

/// Runs a program (found through PATH) with these arguments, without a shell and without input, and
/// waits for it; it is ended when the context asks to stop. Errors: it does not start, it fails
/// (with the last line that it wrote to stderr), cancelled.
Status run_program(const std::vector<std::string>& command, const JobContext& context = {});

/// Ends all programs that run_program() waits for, for a process that is about to end itself.
void end_programs();

}  // namespace aprscope
