#pragma once

#include <cstdint>
#include <vector>

#include "core/image/labels.hpp"

namespace aprscope {

/// The labels that have at least so many pixels (`counts`: of each label, [0] of none), numbered
/// from 1 on in their old order, with their findings. Throws std::bad_alloc.
Labels kept_labels(const Labels& labels, const std::vector<std::int64_t>& counts, double least);

}  // namespace aprscope
