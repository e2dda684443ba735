#pragma once

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/cells/label_records.hpp"
#include "core/image/labels.hpp"

namespace aprscope {

/// Labels in which each pixel has the one that most of the 27 (in one slice 9) pixels round it and
/// itself have, as many times as `passes`; of several its own, else the smallest one. Background
/// counts as one. What lies beyond the image counts for nothing. Errors: cancelled. Throws
/// std::bad_alloc.
Result<std::vector<std::uint32_t>> majority_smoothed(const LabelPixels& labels, int passes,
                                                     const JobContext& context = {});

/// What is kept of labels.
struct Cleaning {
  /// Objects with less are dropped, in powers of the voxel's unit (in one slice: an area).
  double least_volume = 0.0;
  /// Those that touch the border of the image are dropped.
  bool drop_border = false;
  /// Background that an object encloses becomes its own (of several the innermost one's).
  bool fill_holes = false;
  /// Numbers from 1 on, in the order of the first pixels.
  bool relabel = false;
};

/// In this order. `records`: of these labels. Of objects that do not change what is known stays.
/// Errors: cancelled. Throws std::bad_alloc.
Result<Labels> cleaned(Labels labels, const LabelRecords& records, const Size3& size,
                       const VoxelSize& voxel, const Cleaning& how, const JobContext& context = {});

}  // namespace aprscope
