#pragma once

#include "app/cli/bench/bench.hpp"

namespace aprscope::cli {

/// Maps from images in memory by backproject(), the whole of it, and maps from sums alone, on the
/// session's device; particles of a row are images, or voxels. What the case is does not matter.
Status bench_reconstruction(const BenchCase& item, BenchTable& table, Session& session);

}  // namespace aprscope::cli
