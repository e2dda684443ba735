#pragma once

#include <string>
#include <vector>

#include "app/cli/shared/series.hpp"
#include "core/pipeline/batch.hpp"

namespace aprscope::cli {

/// What "run" is told.
struct RunOptions {
  std::string recipe;
  std::vector<std::string> inputs;
  /// The first input, with channel and time.
  InputOptions input;
  SeriesOptions series;
  bool channel_given = false;
  bool time_given = false;
  std::string output;
  std::string csv;
  /// "3/8", or "slurm"; empty: all of it.
  std::string part;
  bool skip_done = false;
  bool allow_failures = false;
  /// "slurm:partition=short"; empty: it is run here.
  std::string submit;
  /// 0: as many as serve.
  int parts = 0;
  bool dry_run = false;
};

/// Several inputs with one recipe.
Status run_many(const RunOptions& options, Session& session);

/// The same as a job of a cluster: an array of parts and what puts their tables together.
Status run_submitted(const RunOptions& options, Session& session);

/// The part that --part says. "slurm": what this task of a Slurm array is, by its environment.
/// Errors: of part_from(), there is no array, it has gaps.
Result<BatchPart> chosen_part(const std::string& text);

/// Channel and time point: those that are given, else the recipe's.
SourceSelection chosen_selection(const RunOptions& options, const Recipe& recipe);

}  // namespace aprscope::cli
