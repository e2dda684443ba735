#pragma once

#include "app/cli/bench/bench_cells_operations.hpp"

namespace aprscope::cli {

/// What the window computes for each move of a watershed's slider, until there are labels to draw:
/// the same calls as its preview, with the same data kept from before. In row "slider", mode merge
/// removes other walls; mode depth also finds the remaining walls anew.
Status bench_label_sliders(const Operation& flood, const Dataset& data, StepRows& rows,
                           Session& session);

/// The time from a correction to the table after it, as in the window: two neighbouring cells of
/// `labelled` become one. On pixels only what changed is measured again, on particles everything.
/// No row if no cells touch.
Status bench_correction(const std::shared_ptr<const Dataset>& labelled, StepRows& rows,
                        Session& session);

}  // namespace aprscope::cli
