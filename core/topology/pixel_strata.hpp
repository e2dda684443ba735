#pragma once

#include <functional>
#include <span>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/image/volume.hpp"
#include "core/topology/strata.hpp"

namespace aprscope {

/// Writes row x of slice z of an image, as places in the order in which levels enter (below the
/// number of levels). Called from several threads.
template <class Place>
using PlaceRows = std::function<void(std::int64_t z, std::int64_t x, std::span<Place> row)>;

/// Slices from `begin` to before `end`.
struct SliceRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

/// Counts the strata of an image of places below `levels` (at most 256, 65536 or 2³¹ − 2). Each
/// slice is asked for when it and when each of its two neighbours is counted; only three slices a
/// thread are kept. Equal for any number of threads. Errors: cancelled. Throws std::bad_alloc.
template <class Place>
Result<StrataCounts> count_strata(const Size3& size, int levels, const PlaceRows<Place>& rows,
                                  Construction construction, const JobContext& context = {});

/// Counts what the voxels of some slices own in such an image: rows are asked for in them and in
/// the slices beside them. What parts of an image own adds up to its strata, once
/// complete_last_level() has had the sum.
template <class Place>
Result<StrataCounts> count_strata(const Size3& size, const SliceRange& slices, int levels,
                                  const PlaceRows<Place>& rows, Construction construction,
                                  const JobContext& context = {});

/// Where `Place` has no number left for the outside, comparisons confuse it with the last level:
/// sets that level to all strata of the image less the others'. Else does nothing.
template <class Place>
void complete_last_level(const Size3& size, Construction construction, StrataCounts& counts);

}  // namespace aprscope
