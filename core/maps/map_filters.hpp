#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"

namespace aprscope {

/// A cubic map of `side`³ values without what is finer than `limit` voxels (raised cosine of two
/// shells). Errors: another number of values, no memory, cancelled.
Result<std::vector<float>> low_passed(std::span<const float> map, std::int64_t side, double limit,
                                      const JobContext& context = {});

/// The mirror image of a map: z → −z about voxel ⌊n/2⌋ (with an even number of slices the first one
/// has no partner and stays). Projections cannot tell the hands apart. `slice`: values of a slice.
std::vector<float> flipped_hand(std::span<const float> map, std::int64_t slice);

}  // namespace aprscope
