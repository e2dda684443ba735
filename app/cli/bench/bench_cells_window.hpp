#pragma once

#include "app/cli/bench/bench_cells_operations.hpp"

namespace aprscope::cli {

/// What the window computes for each move of a slider of a watershed, until it has labels to
/// draw: the same calls as its preview, on what that keeps. Row "slider": mode merge takes other
/// walls away; mode depth also finds the walls that are left anew.
Status bench_label_sliders(const Operation& flood, const Dataset& data, StepRows& rows,
                           Session& session);

/// From a correction to the table after it, as the window does both: two neighbouring cells of
/// `labelled` become one. Of pixels what changed is measured, of particles everything. No row where
/// there are no neighbours.
Status bench_correction(const std::shared_ptr<const Dataset>& labelled, StepRows& rows,
                        Session& session);

}  // namespace aprscope::cli
