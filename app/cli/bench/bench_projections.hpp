#pragma once

#include "app/cli/bench/bench.hpp"

namespace aprscope::cli {

/// Inserts projections of random directions into the sums of a map; a row counts samples as
/// particles. Then pictures of growing maps, and reprojections. The case does not matter.
Status bench_projections(const BenchCase& item, BenchTable& table, Session& session);
/// The same on the session's GPU, see gpu_projection_benchmark().
Status bench_gpu_projections(const BenchCase& item, BenchTable& table, Session& session);

}  // namespace aprscope::cli
