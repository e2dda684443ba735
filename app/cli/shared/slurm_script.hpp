#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.hpp"

namespace aprscope::cli {

/// What is asked of a Slurm cluster. Empty or 0: what the cluster has as its default, and for the
/// memory what the program expects to need.
struct SlurmOptions {
  std::string partition;
  std::string time;
  std::string mem;
  std::string gpus;
  std::string account;
  std::string qos;
  std::string constraint;
  int cpus = 0;
  /// Tasks at a time.
  int limit = 0;
};

/// "slurm", or "slurm:partition=short,time=2:00:00,mem=8G,gpus=1". Errors: another scheduler, an
/// option that is not known or whose value is none: nothing else than such words reaches a script.
Result<SlurmOptions> slurm_options(const std::string& text);

/// A word for a shell that is that word again, whatever stands in it: in single quotes, or as $'…'
/// where it has characters that a terminal obeys, see printable(), so that each stays in its line
/// and a script can be shown. For bash.
std::string shell_word(const std::string& text);

/// A batch as a job. All paths are whole.
struct SlurmJob {
  SlurmOptions options;
  /// Of the array, from 1.
  int parts = 1;
  /// The program and what stands behind it before and after the inputs.
  std::vector<std::string> command;
  std::vector<std::string> inputs;
  std::vector<std::string> more;
  /// Where relative names in a recipe begin.
  std::string folder;
  std::uint64_t memory_bytes = 0;
};

/// The script of the array: each task runs one part.
std::string array_script(const SlurmJob& job);

/// The script that puts the tables of the parts together.
std::string merge_script(const SlurmJob& job, const std::vector<std::string>& tables,
                         const std::string& csv);

}  // namespace aprscope::cli
