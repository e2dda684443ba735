#pragma once

#include "app/cli/bench/bench.hpp"

namespace aprscope::cli {

/// Maps from images in memory by backproject() as a whole, and maps from sums alone, on the
/// session's device; a row counts images or voxels as particles. The case does not matter.
Status bench_reconstruction(const BenchCase& item, BenchTable& table, Session& session);

}  // namespace aprscope::cli
