#pragma once

#include <span>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/cells/label_scan.hpp"
#include "core/cells/label_sums.hpp"

namespace aprscope {

/// Dimensions of images whose objects can be measured: positions and their squares fit 64 bits.
constexpr std::int64_t kLongestSide = std::int64_t{1} << 20;

/// The sums of all objects of an image, and sums of the grey values of `channels` (of the same
/// size) in them: one pass, the same bytes for any number of threads, in memory of the number of
/// objects. Values that are no numbers make the sums of their object no numbers. Errors: a side
/// longer than kLongestSide, cancelled. Throws std::bad_alloc.
Result<LabelRecords> label_records(const LabelPixels& labels,
                                   std::span<const AnyPixels* const> channels,
                                   const JobContext& context = {});

/// The records of an image some of whose labels changed: `changed` are all objects that lost or
/// gained a voxel in `box`, whether they had voxels before or have some now. Only they are looked
/// at again, in the boxes that they had before and `box`; the rest stays. The same bytes as
/// label_records(). Errors and exceptions as label_records().
Result<LabelRecords> updated_records(LabelRecords before, const LabelPixels& labels,
                                     std::span<const AnyPixels* const> channels, const Region& box,
                                     std::span<const std::uint32_t> changed,
                                     const JobContext& context = {});

}  // namespace aprscope
