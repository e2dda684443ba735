#pragma once

#include <string>

#include "app/cli/bench/bench.hpp"

namespace aprscope::cli {

/// What cells are made of: labels of masks, distances and filling, on known images (without an
/// input), or on the input, of which what is not zero is the mask.
Status bench_cells(const BenchCase& item, BenchTable& table, Session& session);

}  // namespace aprscope::cli
