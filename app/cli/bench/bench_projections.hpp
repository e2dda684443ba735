#pragma once

#include "app/cli/bench/bench.hpp"

namespace aprscope::cli {

/// Inserting projections into the sums of a map, of random directions; particles of a row are
/// samples. Then pictures of growing maps, and reprojections. What the case is does not matter.
Status bench_projections(const BenchCase& item, BenchTable& table, Session& session);
/// The same on the session's GPU, see gpu_projection_benchmark().
Status bench_gpu_projections(const BenchCase& item, BenchTable& table, Session& session);

}  // namespace aprscope::cli
