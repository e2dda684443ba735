#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/image/level_set.hpp"

namespace aprscope {

/// Which cubical complex an image stands for; see the definitions below.
enum class Construction {
  /// "T": voxels are closed cubes. Foreground is 26-connected (8 in 2-D).
  closed_voxels,
  /// "V": voxels are vertices. Foreground is 6-connected (4 in 2-D).
  vertices
};

/// The faces of voxels of all dimensions (cubes, squares, edges, corners), relatively open, are the
/// *strata* of an image: disjoint, and together all of it. In the order in which voxels enter (from
/// the least value for sublevel sets, from the largest for superlevel sets) a stratum enters
///   closed voxels: with the first voxel that touches it;
///   vertices: with the last voxel that touches it, and never where it touches the outside.
/// StrataCounts says how many enter at each level, by the axes along which they extend: bit 0 is y,
/// bit 1 x, bit 2 z, so that 7 are cubes and 0 corners. All that is additive follows from these
/// counts: Euler characteristic and Minkowski functionals. (Wagner, Chen, Vuçini: Efficient
/// computation of persistent homology for cubical data, 2012; for the two constructions Bleile et
/// al., The persistent homology of dual digital image constructions, 2022.)
struct StrataCounts {
  using OfLevel = std::array<std::int64_t, 8>;
  /// Counts of each level, in the order in which levels enter.
  std::vector<OfLevel> levels;

  friend bool operator==(const StrataCounts&, const StrataCounts&) = default;
};

}  // namespace aprscope
