#pragma once

#include <cstdint>
#include <span>

#include "core/apr/structure/access.hpp"
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

}  // namespace aprscope
