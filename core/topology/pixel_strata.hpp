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

/// Counts the strata of an image of places below `levels` (at most 256, or 65536). Each slice is
/// asked for by whoever counts it and by its two neighbours; besides three slices a thread nothing
/// is kept. Equal for any number of threads. Errors: cancelled. Throws std::bad_alloc.
template <class Place>
Result<StrataCounts> count_strata(const Size3& size, int levels, const PlaceRows<Place>& rows,
                                  Construction construction, const JobContext& context = {});

}  // namespace aprscope
