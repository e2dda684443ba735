#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/shared/data_io.hpp"
#include "core/pipeline/zarr_series.hpp"

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

/// Several channels and time points of a file that become one .apr or OME-Zarr.
struct SeriesOptions {
  std::string channels;
  std::string times;
  /// The command writes no .apr.
  bool only_zarr = false;

  /// Adds --channels and --times.
  void add_to(CLI::App& command);
  [[nodiscard]] bool given() const { return !channels.empty() || !times.empty(); }
  /// Wrong usage if a series is combined with --channel or --time, or if the output is neither an
  /// .apr nor a .zarr.
  void check(const CLI::App& command, const std::string& output) const;
};

/// The channels and time points that were chosen, all channels of one time point after the other.
/// Errors: those of chosen_range().
Result<std::vector<SourceSelection>> selections_of(const SeriesOptions& series,
                                                   const InputOptions& input,
                                                   const SourceInfo& info);

/// Adds "parts" (channel, time, particles of each), "particles" and "output" to the report;
/// `particles` is empty for pixels.
void describe_series(const std::vector<SourceSelection>& parts,
                     const std::vector<std::uint64_t>& particles, const std::string& output,
                     Session& session);

/// Makes and writes one channel and time point after the other, to one OME-Zarr, with the names and
/// looks of the file that steps were run on, see zarr_series(). Adds what describe_series() says to
/// the report; seconds.`stage`.
Status write_series_as_zarr(const MakePart& make, const SourceInfo& info,
                            const std::vector<SourceSelection>& parts,
                            const std::vector<Operation>& steps, const std::string& output,
                            const char* stage, Session& session);

/// Makes and writes one channel and time point after the other, to one .apr or, by its name, as
/// write_series_as_zarr() does. Adds what describe_series() says to the report; seconds.`stage`.
/// Errors: the steps do not end in particles, for an .apr.
Status run_series(const SeriesOptions& series, const InputOptions& input,
                  const std::vector<Operation>& steps, const std::string& output,
                  const AprWriteOptions& file, const char* stage, Session& session);

}  // namespace aprscope::cli
