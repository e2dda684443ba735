#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/cells/basin_tree.hpp"

namespace aprscope {

/// The wall between two regions: all pairs of neighbouring pixels of which one is in each.
struct RegionWall {
  /// The two regions; a < b.
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  /// The lowest height of its pairs of pixels, and the median height (the lower one of two where
  /// the number is even).
  float lowest = 0.0F;
  float median = 0.0F;
};

/// All walls of a cut tree, in no particular order.
struct RegionWalls {
  std::vector<RegionWall> walls;
  /// The heights of wall w, in no particular order: from first[w] on, to first[w + 1].
  std::vector<float> heights;
  std::vector<std::size_t> first;

  [[nodiscard]] std::uint64_t bytes() const;
};

/// The walls between regions of pixels. Takes 4 bytes a pixel and 12 a pair of pixels on walls for
/// a while; 4 a pair and 24 a wall stay. Errors: cancelled. Throws std::bad_alloc.
template <class T>
Result<RegionWalls> region_walls(const Pixels<T>& image, const Basins& basins,
                                 const RegionTable& regions, const BasinRule& rule,
                                 const JobContext& context = {});

/// Walls of basins that are not made of pixels: each() calls visit(basin, other basin, height,
/// pairs of pixels, thread) for all contacts, from `threads` threads; false: cancelled.
struct WallSource {
  using Visit = std::function<void(std::uint32_t a, std::uint32_t b, float height,
                                   std::size_t pairs, int thread)>;
  int threads = 1;
  std::function<bool(const JobContext&, const Visit&)> each;
};
Result<RegionWalls> region_walls(const WallSource& source, const RegionTable& regions,
                                 const JobContext& context = {});

}  // namespace aprscope
