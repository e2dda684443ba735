#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/cells/label_scan.hpp"

namespace aprscope {

/// The smallest box with all pixels of each of these labels (empty where there are none), looked
/// for in the whole image. Errors: cancelled. Throws std::bad_alloc.
Result<std::vector<Region>> label_boxes(const LabelPixels& labels,
                                        std::span<const std::uint32_t> wanted,
                                        const JobContext& context = {});

}  // namespace aprscope
