#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.hpp"

namespace aprscope::cli {

/// Requests to a Slurm cluster. Empty or 0: the cluster's default; for memory, what the program
/// expects to need.
struct SlurmOptions {
  std::string partition;
  std::string time;
  std::string mem;
  std::string gpus;
  std::string account;
  std::string qos;
  std::string constraint;
  int cpus = 0;
  /// The number of tasks that run at the same time.
  int limit = 0;
};

/// Parses "slurm", or "slurm:partition=short,time=2:00:00,mem=8G,gpus=1". Errors: another
/// scheduler; an unknown option or an invalid value, so that no other text can get into a script.
Result<SlurmOptions> slurm_options(const std::string& text);

/// Quotes a text as a single word for bash: in single quotes, or as $'…' if it has control
/// characters, see printable(). So each word stays in its line, and a script can be printed
/// safely.
std::string shell_word(const std::string& text);

/// A batch as a job of a cluster. All paths are absolute.
struct SlurmJob {
  SlurmOptions options;
  /// The number of parts of the array.
  int parts = 1;
  /// The program and its arguments before and after the inputs.
  std::vector<std::string> command;
  std::vector<std::string> inputs;
  std::vector<std::string> more;
  /// The folder that relative paths in a recipe refer to.
  std::string folder;
  std::uint64_t memory_bytes = 0;
};

/// The script of the array job: each task runs one part.
std::string array_script(const SlurmJob& job);

/// The script of the second job, which merges the tables of all parts.
std::string merge_script(const SlurmJob& job, const std::vector<std::string>& tables,
                         const std::string& csv);

}  // namespace aprscope::cli
