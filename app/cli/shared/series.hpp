#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/shared/data_io.hpp"

namespace aprscope::cli {

/// A range of channels or of time points, counted from 0.
struct IndexRange {
  int first = 0;
  int last = 0;
};

/// A check for options that take "all" or FIRST-LAST.
std::string check_range(const std::string& text);
/// The part of `count` indices that the text names: "all", FIRST-LAST, or `otherwise` if it is
/// empty. Errors: the file `path` has fewer.
Result<IndexRange> chosen_range(const std::string& text, int otherwise, int count,
                                const std::string& what, const std::string& path);

/// Several channels and time points of a file that become one .apr.
struct SeriesOptions {
  std::string channels;
  std::string times;

  /// Adds --channels and --times.
  void add_to(CLI::App& command);
  [[nodiscard]] bool given() const { return !channels.empty() || !times.empty(); }
  /// Wrong usage if a series is combined with --channel or --time, or if the output is not an
  /// .apr.
  void check(const CLI::App& command, const std::string& output) const;
};

/// The channels and time points that were chosen, all channels of one time point after the other.
/// Errors: those of chosen_range().
Result<std::vector<SourceSelection>> selections_of(const SeriesOptions& series,
                                                   const InputOptions& input,
                                                   const SourceInfo& info);

/// Adds "parts" (channel, time, particles of each), "particles" and "output" to the report.
void describe_series(const std::vector<SourceSelection>& parts,
                     const std::vector<std::uint64_t>& particles, const std::string& output,
                     Session& session);

/// Makes and writes one channel and time point after the other, to one .apr. Adds what
/// describe_series() says to the report; seconds.`stage`. Errors: the steps do not end in
/// particles.
Status run_series(const SeriesOptions& series, const InputOptions& input,
                  const std::vector<Operation>& steps, const std::string& output,
                  const AprWriteOptions& file, const char* stage, Session& session);

}  // namespace aprscope::cli
