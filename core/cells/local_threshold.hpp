#pragma once

#include <cstdint>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/image/level_set.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// A mask: 1 where a pixel is more than `offset` above (sublevel: below) the mean of the box of (2
/// reach + 1) pixels round it, cut at the border of the image. Sums in f64, of u8 and u16 exact;
/// the same bytes for any number of threads. Errors: cancelled. Throws std::bad_alloc.
Result<Pixels<std::uint8_t>> local_mask(const Volume& image, const Size3& reach, double offset,
                                        LevelSets sets, const JobContext& context = {});

}  // namespace aprscope
