#pragma once

#include <cstdint>
#include <span>

#include "core/apr/structure/access.hpp"
#include "core/apr/structure/slice_span.hpp"
#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/topology/strata.hpp"

namespace aprscope {

/// Counts the strata of the image that particles make when each cell has its particle's value, from
/// the cells themselves: equal, at every level, to those of its pixels. `places`: one a particle,
/// below `levels` (at most 65536, or 2³¹ − 2). Cells of any size may meet (no 2:1 balance is
/// needed). Equal for any number of threads. Errors: cancelled. Throws std::bad_alloc.
Result<StrataCounts> count_strata(const AprAccess& access, std::span<const std::uint16_t> places,
                                  int levels, Construction construction,
                                  const JobContext& context = {});
Result<StrataCounts> count_strata(const AprAccess& access, std::span<const std::uint32_t> places,
                                  int levels, Construction construction,
                                  const JobContext& context = {});

/// The same of a part of an image that the rest of it surrounds: only the strata that the cells in
/// `slices` own, which begin and end with cells of all levels or with the part. Counts of parts
/// whose slices are together all of an image add up to its counts, if each part has one cell of its
/// coarsest level beyond its slices.
Result<StrataCounts> count_strata(const AprAccess& access, const SliceSpan& slices,
                                  std::span<const std::uint16_t> places, int levels,
                                  Construction construction, const JobContext& context = {});
Result<StrataCounts> count_strata(const AprAccess& access, const SliceSpan& slices,
                                  std::span<const std::uint32_t> places, int levels,
                                  Construction construction, const JobContext& context = {});

}  // namespace aprscope
