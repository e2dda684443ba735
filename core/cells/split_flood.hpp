#pragma once

#include <cstdint>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/cells/label_patch.hpp"

namespace aprscope {

/// Divides what is set among seeds: a watershed of `signal` by priority flooding (Meyer 1991) over
/// faces, lowest values first, equal ones in the order in which they are reached, so that plateaus
/// are divided by distance. Returns the seed that each pixel of the mask's box belongs to, from 1
/// on; 0: not set, or not reached. Seeds are distinct pixels that are set. Errors: cancelled.
Result<std::vector<std::uint32_t>> divided_among_seeds(const BoxMask& mask,
                                                       const std::vector<float>& signal,
                                                       const std::vector<Index3>& seeds,
                                                       const JobContext& context);

}  // namespace aprscope
