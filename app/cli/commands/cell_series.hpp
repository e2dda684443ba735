#pragma once

#include "app/cli/commands/cell_run.hpp"

namespace aprscope::cli {

/// Finds cells in several files: labels go into a folder, all cells into one table. If a file
/// fails, its row states the reason, and the other files are still done.
Status cells_of_files(const CellsOptions& options, Session& session);

/// The same for several time points of one file. If cells are followed, an object keeps its number
/// for as long as it is found. After a time point that fails, objects are compared with the last
/// time point that succeeded.
Status cells_of_times(const CellsOptions& options, Session& session);

}  // namespace aprscope::cli
