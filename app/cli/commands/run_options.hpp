#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/cli/shared/series.hpp"
#include "core/pipeline/batch.hpp"

namespace aprscope::cli {

/// The options of "run".
struct RunOptions {
  std::string recipe;
  std::vector<std::string> inputs;
  /// The first input, with channel and time.
  InputOptions input;
  SeriesOptions series;
  bool channel_given = false;
  bool time_given = false;
  std::string output;
  /// Memory to stay within, in bytes; 0: most of what is free.
  std::uint64_t memory = 0;
  std::string csv;
  /// The part of the batch, such as "3/8", or "slurm"; empty: all of it.
  std::string part;
  bool skip_done = false;
  bool allow_failures = false;
  /// The cluster to submit to, such as "slurm:partition=short"; empty: runs here.
  std::string submit;
  /// The number of parts; 0: chosen automatically.
  int parts = 0;
  bool dry_run = false;
};

/// Runs one recipe on several inputs.
Status run_many(const RunOptions& options, Session& session);

/// Submits the same as jobs of a cluster: an array of parts, and a job that merges their tables.
Status run_submitted(const RunOptions& options, Session& session);

/// The part that --part names. "slurm": the part of this task of a Slurm array, from its
/// environment. Errors: those of part_from(); there is no array; its numbers have gaps.
Result<BatchPart> chosen_part(const std::string& text);

/// The channel and time point of the options, else those of the recipe.
SourceSelection chosen_selection(const RunOptions& options, const Recipe& recipe);

}  // namespace aprscope::cli
