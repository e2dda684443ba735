#pragma once

#include "app/cli/commands/cell_run.hpp"

namespace aprscope::cli {

/// Compares two files of labels and reports how well they agree.
Status compare_files(const CellsOptions& options, Session& session);
/// Compares the labels that were found with the file of true labels that the user named.
Status compare_result(const CellsOptions& options, const Dataset& data, Session& session);
/// Reports what conversion changed in cells of particles, see check_cells(). The image is read at
/// the channel that the particles' name states, else at that chosen for the particles.
Status check_against_pixels(const CellsOptions& options, const Dataset& found, Session& session);

}  // namespace aprscope::cli
