#pragma once

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/cells/label_records.hpp"
#include "core/image/labels.hpp"

namespace aprscope {

/// Labels smoothed `passes` times: each pixel gets the label of the majority of the 27 (in one
/// slice 9) pixels of its neighbourhood; if several have it, its own, else the smallest. Background
/// counts as a label. What lies beyond the image does not count. Errors: cancelled. Throws
/// std::bad_alloc.
Result<std::vector<std::uint32_t>> majority_smoothed(const LabelPixels& labels, int passes,
                                                     const JobContext& context = {});

/// What cleaned() does.
struct Cleaning {
  /// Smaller objects are dropped; in powers of the voxel's unit (in one slice: an area).
  double least_volume = 0.0;
  /// Objects that touch the border of the image are dropped.
  bool drop_border = false;
  /// Background that an object encloses becomes its own (of several the innermost one's).
  bool fill_holes = false;
  /// Numbers from 1 on, in the order of the first pixels.
  bool relabel = false;
};

/// Cleans in the order of the options. `records`: of these labels. Findings of unchanged objects
/// stay. Errors: cancelled. Throws std::bad_alloc.
Result<Labels> cleaned(Labels labels, const LabelRecords& records, const Size3& size,
                       const VoxelSize& voxel, const Cleaning& how, const JobContext& context = {});

}  // namespace aprscope
