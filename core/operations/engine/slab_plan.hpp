#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/io/apr/apr_slabs.hpp"

namespace aprscope {

/// How particles in a file are filtered in parts.
struct SlabPlan {
  /// Slabs hold the levels from this one on; those above are a part of their own.
  int coarsest = 1;
  /// Slices that are read on either side of those that are kept.
  std::int64_t around = 0;
  /// First slice of each slab, and the end of the last slab.
  std::vector<std::int64_t> cuts;
  /// About the most memory that is taken.
  std::uint64_t bytes = 0;
};

/// Slices that a filter reaches over on the levels from this one on.
using SlicesReached = std::function<std::int64_t(int coarsest)>;

/// The cheapest plan that keeps to `memory` bytes: slabs as thick as it allows, and the level above
/// which cells are so large that they are better filtered all together. Errors: even the thinnest
/// slabs take more.
/// For several processes, which take them in turn, it is the plan that the busiest of them has
/// least to read for. `more_of_cell`: bytes that a cell of a slab takes beside those of a filter.
Result<SlabPlan> plan_slabs(const AprFileSlabs& file, const SlicesReached& reached,
                            std::uint64_t memory, int processes = 1,
                            std::uint64_t more_of_cell = 0);

}  // namespace aprscope
