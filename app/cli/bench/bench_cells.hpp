#pragma once

#include <string>

#include "app/cli/bench/bench.hpp"

namespace aprscope::cli {

/// Without an input: functions that cells are made with (labels, distances, filling) on known
/// masks, then whole steps on the image and on its particles, see bench_cell_steps(). Of an input
/// that is a mask (no values but 0 and one other) only the first, of any other only the second.
Status bench_cells(const BenchCase& item, BenchTable& table, Session& session);

}  // namespace aprscope::cli
