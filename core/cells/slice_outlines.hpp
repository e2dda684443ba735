#pragma once

#include <cstdint>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/cells/label_records.hpp"

namespace aprscope {

/// The part of an object in one z slice: its pixels, and its outline by Crofton's formula in the
/// voxel's unit.
struct SliceOutline {
  std::uint32_t label = 0;
  std::int64_t z = 0;
  std::int64_t pixels = 0;
  double perimeter = 0.0;
  friend bool operator==(const SliceOutline&, const SliceOutline&) = default;
};

/// The outlines of all objects in all slices, in ascending order of label, then z. Errors and
/// exceptions as label_records().
Result<std::vector<SliceOutline>> slice_outlines(const LabelPixels& labels, const VoxelSize& voxel,
                                                 const JobContext& context = {});

}  // namespace aprscope
