#pragma once

#include <CLI/CLI.hpp>

#include "app/cli/shared/session.hpp"
#include "core/dataset/dataset.hpp"
#include "core/projections/reconstruction.hpp"

namespace aprscope::cli {

/// The files that a reconstruction writes besides its map.
struct ReconstructionFiles {
  /// Writes OUT_half1 and OUT_half2, with the extension of OUT.
  bool half_maps = false;
  /// Correlation of the half maps as a table (.csv).
  std::string fsc;

  void add_to(CLI::App& command);
  /// The names of all these files for an output, to check them before a long computation.
  [[nodiscard]] std::vector<std::string> names(const std::string& output) const;
};

/// Refuses half maps and an FSC curve that cannot be made: the output is not an image of a map, or
/// the operation makes no half maps.
Status check_beside(const ReconstructionFiles& files, const std::string& output,
                    const Operation& operation);

/// The stack OUT.mrcs to write if the output is a table OUT.star; any other name
/// unchanged.
std::string stack_of_table(const std::string& path);

/// Whether the name has the ending .mrcs: images are then a stack, with their table beside it.
bool is_stack_name(const std::string& path);

/// check_output() for all files of an output: also for `others`, and with `with_table` for the
/// table that is written with a stack.
Status check_outputs(const std::string& output, bool with_table,
                     const std::vector<std::string>& others, const std::vector<std::string>& inputs,
                     const Session& session);

/// The stacks that a table's images are read from, which are inputs like the table itself; empty
/// for other data.
std::vector<std::string> stacks_of(const Dataset& data);

/// The stacks of those files that are tables (.star, .xmd, .cs); unreadable tables are ignored.
std::vector<std::string> stacks_of_tables(const std::vector<std::string>& files,
                                          const Session& session);

/// Writes these files, and adds facts about the map to the report. Does nothing for other data.
Status save_reconstruction(const Dataset& made, const ReconstructionFiles& files,
                           const std::string& output, Session& session);

/// Writes projections and their table: as a stack, and as OUT.star beside it.
Status save_projections(const Volume& images, const std::string& path, Session& session);

}  // namespace aprscope::cli
