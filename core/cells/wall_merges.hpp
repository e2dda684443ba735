#pragma once

#include <cstdint>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/cells/basin_tree.hpp"
#include "core/cells/region_walls.hpp"

namespace aprscope {

/// Two regions become one.
struct WallMerge {
  /// Strength of the wall between them, in grey values.
  double strength = 0.0;
  std::uint32_t into = 0;
  std::uint32_t gone = 0;

  friend bool operator==(const WallMerge&, const WallMerge&) = default;
};

/// The order in which regions of a cut tree merge when the weakest wall is taken away again and
/// again, until no wall up to `strongest` is left. The strength of a wall is the geometric mean of
/// its depth (from the floor of the shallower region to the lowest pixel pair of the wall) and of
/// its contrast (from the floor of the deeper one to the median of the wall): a single gap does not
/// open a wall that is otherwise good, nor does a shallow dent in a wall look like a cell because
/// what is behind it is deep. Merged regions share floors and walls, so strengths may fall on the
/// way. `walls` are those of `cut` or of a finer cut (less deep), each of whose regions lies in one
/// of `cut`, see is_within(). Takes some 160 bytes a wall. Equal for any number of threads. Errors:
/// cancelled. Throws std::bad_alloc.
Result<std::vector<WallMerge>> wall_merges(const RegionWalls& walls, const RegionTable& finer,
                                           const Basins& basins, const RegionTable& cut,
                                           double strongest, const JobContext& context = {});

/// The same, and the walls found for it alone.
template <class T>
Result<std::vector<WallMerge>> wall_merges(const Pixels<T>& image, const Basins& basins,
                                           const RegionTable& cut, const BasinRule& rule,
                                           double strongest, const JobContext& context = {}) {
  const auto walls = region_walls(image, basins, cut, rule, context.part(0.0, 0.8));
  if (!walls) return walls.error();
  return wall_merges(*walls, cut, basins, cut, strongest, context.part(0.8, 1.0));
}
inline Result<std::vector<WallMerge>> wall_merges(const WallSource& source, const Basins& basins,
                                                  const RegionTable& cut, double strongest,
                                                  const JobContext& context = {}) {
  const auto walls = region_walls(source, cut, context.part(0.0, 0.8));
  if (!walls) return walls.error();
  return wall_merges(*walls, cut, basins, cut, strongest, context.part(0.8, 1.0));
}

/// Whether each region of one cut lies in one region of the other, or in none.
bool is_within(const RegionTable& finer, const RegionTable& cut);

/// The regions that are left when walls are taken away until the weakest is stronger than this.
RegionTable cut_walls(const RegionTable& regions, const std::vector<WallMerge>& merges,
                      double strength);

}  // namespace aprscope
