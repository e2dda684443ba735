#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/shared/data_io.hpp"
#include "app/cli/shared/series.hpp"
#include "core/operations/schema/operation.hpp"
#include "core/pipeline/slab_execution.hpp"

namespace aprscope::cli {

/// A command's steps from one file to another.
struct SlabCommand {
  const InputOptions& input;
  std::vector<Operation> steps;
  const std::string& output;
  /// The key of their seconds in the report.
  std::string name;
  SlabRun run{};
  /// Whether a request to stop discards the run; else its hooks are asked to keep what there is.
  bool stops = true;
};

/// Adds --memory, "DO an .apr slab by slab within this much memory".
void add_memory_option(CLI::App& command, std::uint64_t& memory, const std::string& verb);

/// Runs steps on an .apr slab by slab into another if they do not fit into memory, or if several
/// processes share them; reports the result. None if they fit, or if the input cannot be read in
/// slabs; see execute_in_slabs().
Result<std::optional<SlabExecution>> run_in_slabs(SlabCommand command, Session& session);

/// What is left to check by where steps are done in memory after all, see RunContext::memory and
/// check_load(): nothing where they could have run in slabs, and did not, as they fit.
std::uint64_t memory_to_check(const std::vector<Operation>& steps, const std::string& input,
                              const std::string& output, std::uint64_t memory);

/// Wrong usage if --memory is combined with a series that is not from an .apr to an .apr.
void check_memory_of_series(const SeriesOptions& series, const std::string& input,
                            const std::string& output, std::uint64_t memory);

/// Runs steps on several channels and time points of an .apr, one after the other, each within
/// `run.memory`, to one .apr; adds what describe_series() says to the report; seconds.`stage`. See
/// apply_to_parts().
Status run_series_in_slabs(const SeriesOptions& series, const SlabCommand& command,
                           Session& session);

}  // namespace aprscope::cli
