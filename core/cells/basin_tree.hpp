#pragma once

#include <cstdint>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/cells/basins.hpp"

namespace aprscope {

/// The lowest way from one basin to another: its highest pixel is as low as possible.
struct BasinPass {
  float height = 0.0F;
  std::uint32_t a = 0;
  std::uint32_t b = 0;

  friend bool operator==(const BasinPass&, const BasinPass&) = default;
};

/// In which order basins become one when water rises. Between any two basins the highest of the
/// passes on the way in this tree is the lowest pass between them in the image.
struct BasinTree {
  /// Ascending; between equally high ones in the order of a, then b; a < b. One less than basins
  /// for each piece of the image.
  std::vector<BasinPass> passes;
  /// By basin, see Basins.
  std::vector<float> floors;
  std::vector<std::uint64_t> sizes;
  std::vector<std::uint32_t> markers;

  [[nodiscard]] std::uint64_t bytes() const;
};

/// The tree of the basins that find_basins() gave for this image and rule. A wall between two
/// pixels is as high as the higher of both. Takes 12 bytes a basin and, where neighbours are
/// gathered, some 200 bytes a basin for a while. Equal for any number of threads. Errors:
/// cancelled. Throws std::bad_alloc.
template <class T>
Result<BasinTree> basin_tree(const Pixels<T>& image, const Basins& basins, const BasinRule& rule,
                             const JobContext& context = {});

/// The region of each basin, from 1 on in the order of the regions' first pixels; 0: none.
struct RegionTable {
  std::vector<std::uint32_t> region;
  std::uint32_t count = 0;
};

/// A basin that is at most as deep as this, from its floor to its lowest pass, becomes part of what
/// lies behind that pass: what is left are the minima of the image's h-minima transform (Soille
/// 2003). In grey values; negative: none does.
RegionTable cut_tree(const BasinTree& tree, double depth);

/// A region of fewer pixels becomes part of what lies behind its lowest pass (the weakest place of
/// its walls), the lowest of all such passes first; where there is nothing, it goes.
RegionTable without_small(const BasinTree& tree, const RegionTable& regions,
                          std::uint64_t least_pixels);

/// Each basin goes to the marker that it reaches over the lowest pass: its region is the marker's
/// number, and 0 where it reaches none.
RegionTable flood_from_markers(const BasinTree& tree);

/// The depth of each basin, from its floor to the pass over which it reaches a deeper one (of
/// equally deep ones the first is the deeper); infinity: there is none. That of 0 means nothing.
std::vector<float> basin_depths(const BasinTree& tree);

/// labels[i] = table[labels[i]] elsewhere. Errors: cancelled.
Status look_up(const std::vector<std::uint32_t>& labels, const std::vector<std::uint32_t>& table,
               std::vector<std::uint32_t>& out, const JobContext& context = {});

}  // namespace aprscope
