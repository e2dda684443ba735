#pragma once

#include <CLI/CLI.hpp>

#include "app/cli/shared/session.hpp"
#include "core/dataset/dataset.hpp"
#include "core/projections/backproject.hpp"

namespace aprscope::cli {

/// What a reconstruction leaves beside its map.
struct ReconstructionFiles {
  /// OUT_half1 and OUT_half2, with the ending of OUT.
  bool half_maps = false;
  /// Correlation of the half maps as a table (.csv).
  std::string fsc;

  void add_to(CLI::App& command);
  /// All of the files for this output, to be checked before a long computation.
  [[nodiscard]] std::vector<std::string> names(const std::string& output) const;
};

/// Refuses half maps and a curve that cannot be: the output is no image that holds a map, or the
/// operation is not asked for halves.
Status check_beside(const ReconstructionFiles& files, const std::string& output,
                    const Operation& operation);

/// The stack OUT.mrcs that is written where somebody asks for the table OUT.star; any other name as
/// it is.
std::string stack_of_table(const std::string& path);

/// Whether a name asks for the images of a set as a stack, with their table beside it: .mrcs.
bool is_stack_name(const std::string& path);

/// As check_output() for all that an output writes: `others` too, and the table of a stack where
/// `with_table`.
Status check_outputs(const std::string& output, bool with_table,
                     const std::vector<std::string>& others, const std::vector<std::string>& inputs,
                     const Session& session);

/// The stacks that images of a table are read from, which are inputs as the table itself is; none
/// for other data.
std::vector<std::string> stacks_of(const Dataset& data);

/// The same of the tables (.star, .xmd, .cs) among some files; what cannot be read has none.
std::vector<std::string> stacks_of_tables(const std::vector<std::string>& files,
                                          const Session& session);

/// Writes them, and what is to be said of a map into the report. Nothing for other data.
Status save_reconstruction(const Dataset& made, const ReconstructionFiles& files,
                           const std::string& output, Session& session);

/// Writes images that were made with their table as a stack, with the table beside it (OUT.star).
Status save_projections(const Volume& images, const std::string& path, Session& session);

}  // namespace aprscope::cli
