#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/cells/basin_tree.hpp"

namespace aprscope {

/// Two regions become one.
struct WallMerge {
  /// Of the wall between them, in grey values.
  double strength = 0.0;
  std::uint32_t into = 0;
  std::uint32_t gone = 0;

  friend bool operator==(const WallMerge&, const WallMerge&) = default;
};

/// In which order the regions of a cut tree become one when the weakest wall is taken away again
/// and again, until there are none. The strength of a wall is the geometric mean of its depth (from
/// the floor of the shallower region to the lowest pixel pair of the wall) and of its contrast
/// (from the floor of the deeper one to the median of the wall): a single gap does not open a wall
/// that is otherwise good, nor does a shallow dent in a wall look like a cell because what is
/// behind it is deep. What becomes one region shares floors and walls, so strengths may fall on the
/// way. Takes 4 bytes a pair of pixels on walls, and some 160 bytes a wall. Equal for any number of
/// threads. Errors: cancelled. Throws std::bad_alloc.
template <class T>
Result<std::vector<WallMerge>> wall_merges(const Pixels<T>& image, const Basins& basins,
                                           const RegionTable& regions, const BasinRule& rule,
                                           double strongest, const JobContext& context = {});

/// Walls of something else than pixels: each() calls visit(basin, other basin, height, pairs of
/// pixels, thread) for all that touches, from so many threads, the same each time; false:
/// cancelled.
struct WallSource {
  using Visit = std::function<void(std::uint32_t a, std::uint32_t b, float height,
                                   std::size_t pairs, int thread)>;
  int threads = 1;
  std::function<bool(const JobContext&, const Visit&)> each;
};
Result<std::vector<WallMerge>> wall_merges(const WallSource& source, const Basins& basins,
                                           const RegionTable& regions, double strongest,
                                           const JobContext& context = {});

/// The regions that are left when walls are taken away until the weakest is stronger than this.
RegionTable cut_walls(const RegionTable& regions, const std::vector<WallMerge>& merges,
                      double strength);

}  // namespace aprscope
