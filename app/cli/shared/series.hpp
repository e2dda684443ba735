#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/shared/data_io.hpp"

namespace aprscope::cli {

/// Channels or time points that follow one another, counted from 0.
struct IndexRange {
  int first = 0;
  int last = 0;
};

/// A check for options that take "all" or FIRST-LAST.
std::string check_range(const std::string& text);
/// Those of `count` that "all", FIRST-LAST, or nothing ("": `otherwise`) stand for. Errors: fewer
/// are there, in `path`.
Result<IndexRange> chosen_range(const std::string& text, int otherwise, int count,
                                const std::string& what, const std::string& path);

/// Several channels and time points of a file that become one .apr.
struct SeriesOptions {
  std::string channels;
  std::string times;

  /// Adds --channels and --times.
  void add_to(CLI::App& command);
  [[nodiscard]] bool given() const { return !channels.empty() || !times.empty(); }
  /// Wrong usage where that is given together with --channel or --time, or with another output than
  /// an .apr.
  void check(const CLI::App& command, const std::string& output) const;
};

/// Makes particles of one channel and time point.
using MakePart = std::function<Result<Apr>(const SourceInfo& info, const SourceSelection& selection,
                                           const JobContext& context)>;

/// Makes one after the other, and writes them to one .apr: one is in memory at a time. Adds "parts"
/// (channel, time, particles of each), "particles" and "output" to the report; seconds.`stage`.
Status write_series(const SeriesOptions& series, const InputOptions& input, const MakePart& make,
                    const std::string& output, bool with_tree, const char* stage, Session& session);

/// The same by steps whose last result is particles; "steps" in the report. Errors: it is none.
Status run_series(const SeriesOptions& series, const InputOptions& input,
                  const std::vector<Operation>& steps, const std::string& output, bool with_tree,
                  const char* stage, Session& session);

}  // namespace aprscope::cli
