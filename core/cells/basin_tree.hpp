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

/// The order in which basins unite when water rises (a minimum spanning tree): the highest pass on
/// the path between two basins in this tree is the lowest pass between them in the image.
struct BasinTree {
  /// Ascending by height, then by a, then by b; a < b. Each connected piece of the image has one
  /// pass less than basins.
  std::vector<BasinPass> passes;
  /// One entry for each basin, see Basins.
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

/// Merges each basin that is at most `depth` deep, from its floor to its lowest pass, into the
/// basin behind that pass: what is left are the minima of the h-minima transform (Soille 2003).
/// `depth` in grey values; negative: merges none.
RegionTable cut_tree(const BasinTree& tree, double depth);

/// Merges regions of fewer pixels into the region behind their lowest pass (the weakest place of
/// their walls), the lowest of these passes first; a region without a pass is dropped.
RegionTable without_small(const BasinTree& tree, const RegionTable& regions,
                          std::uint64_t least_pixels);

/// Each basin goes to the marker that it reaches over the lowest pass: its region is the marker's
/// number, and 0 where it reaches none.
RegionTable flood_from_markers(const BasinTree& tree);

/// The depth of each basin, from its floor to the pass over which it reaches a deeper one (of
/// equally deep ones the first is the deeper); infinity: there is no deeper one. Entry 0 is unused.
std::vector<float> basin_depths(const BasinTree& tree);

/// Writes labels mapped by a table: out[i] = table[labels[i]]. Errors: cancelled.
Status look_up(const std::vector<std::uint32_t>& labels, const std::vector<std::uint32_t>& table,
               std::vector<std::uint32_t>& out, const JobContext& context = {});

}  // namespace aprscope
