#pragma once

#include <string>

#include "app/cli/bench/bench.hpp"

namespace aprscope::cli {

/// Without an input: the functions that cells are found with (labels, distances, filling) on known
/// masks, then whole steps on the image and on its particles, see bench_cell_steps(). With an
/// input: only the functions if it is a mask (its values are 0 and one other), else only the steps.
Status bench_cells(const BenchCase& item, BenchTable& table, Session& session);

}  // namespace aprscope::cli
