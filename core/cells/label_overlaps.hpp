#pragma once

#include <cstdint>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/image/labels.hpp"

namespace aprscope {

/// Number of pixels with one label in one image and one in another; 0 counts as a label.
struct LabelOverlap {
  std::uint32_t truth = 0;
  std::uint32_t found = 0;
  std::uint64_t pixels = 0;
};

/// All pairs of labels that occur, in ascending order of the first, then of the second label.
/// Errors: lengths differ, cancelled. Throws std::bad_alloc.
Result<std::vector<LabelOverlap>> label_overlaps(const Labels& truth, const Labels& found,
                                                 const JobContext& context = {});

}  // namespace aprscope
