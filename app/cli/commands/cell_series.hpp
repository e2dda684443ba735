#pragma once

#include "app/cli/commands/cell_run.hpp"

namespace aprscope::cli {

/// Cells of several files: labels into a folder, one table. A file that fails has its reason in its
/// row, and does not stop the others.
Status cells_of_files(const CellsOptions& options, Session& session);

/// Cells of several time points of one file, the same way; where they are followed, an object has
/// one number for as long as it is found. After one that fails, objects are those of the last one
/// that did not.
Status cells_of_times(const CellsOptions& options, Session& session);

}  // namespace aprscope::cli
