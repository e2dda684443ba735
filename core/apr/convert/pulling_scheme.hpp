#pragma once

#include <vector>

#include "core/apr/convert/level_map.hpp"
#include "core/apr/structure/bit_grid.hpp"
#include "core/base/job_context.hpp"

namespace aprscope {

/// The outcome of the pulling scheme: which cells are particles.
struct CellSet {
  /// Particles of level l at [l], 1 ≤ l < level_max; [0] is unused.
  std::vector<BitGrid> cells;
  /// Cells of level_max − 1 whose pixels are the particles of level_max.
  BitGrid refined;
};

/// The optimal valid cell set of a local level map (Cheeseman et al. 2018, pulling scheme) with the
/// full 26-neighbourhood, then cells to particles: each seed is refined one level, boundary and
/// filler cells are kept (boundary cells are refined too if `neighbourhood_optimisation` is off).
/// `levels` is that of an image of `size`, level_max ≥ 2. Throws std::bad_alloc. False when
/// cancelled.
bool pulling_scheme(LevelMap levels, const Size3& size, int level_max,
                    bool neighbourhood_optimisation, CellSet& out, const JobContext& context);

}  // namespace aprscope
