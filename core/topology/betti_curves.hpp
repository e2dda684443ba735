#pragma once

#include <cstdint>
#include <vector>

#include "core/topology/components.hpp"
#include "core/topology/topology_curves.hpp"

namespace aprscope {

/// Betti numbers of the level sets: pieces (β0), tunnels (β1) and voids (β2); of flat images pieces
/// and holes (β1). One value for each level of the curves.
struct BettiCurves {
  std::vector<std::int64_t> pieces;
  std::vector<std::int64_t> tunnels;
  /// Voids of a volume; empty for a flat image.
  std::vector<std::int64_t> voids;
};

/// From the pieces of level sets, what they enclose and, in a volume, the Euler characteristic:
/// χ = β0 − β1 + β2. `curves` are those of counts of as many levels as the components have.
BettiCurves betti_curves(const Components& components, const TopologyCurves& curves);

}  // namespace aprscope
