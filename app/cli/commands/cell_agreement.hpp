#pragma once

#include "app/cli/commands/cell_run.hpp"

namespace aprscope::cli {

/// Compares two files of labels, and says so in the report.
Status compare_files(const CellsOptions& options, Session& session);
/// Compares what was found with the truth that was named.
Status compare_result(const CellsOptions& options, const Dataset& data, Session& session);
/// Says what conversion did to cells that were found on particles, see check_cells(): the image is
/// read at the channel of the particles' name, else at the one that was chosen for them.
Status check_against_pixels(const CellsOptions& options, const Dataset& found, Session& session);

}  // namespace aprscope::cli
