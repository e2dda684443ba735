#pragma once

#include <memory>
#include <vector>

#include "core/dataset/dataset.hpp"
#include "core/deconvolution/iterate/held_out.hpp"

namespace aprscope {

/// hold_out() of the values of a data set: its pixels, or its particles, each of which stands for
/// the pixels of its cell. Throws std::bad_alloc.
Result<ThinnedImage> hold_out(const Dataset& input, float offset, const HoldOutOptions& options,
                              const JobContext& context);

/// The data set with other values.
std::shared_ptr<const Dataset> with_values(const Dataset& input, std::vector<float> values);

}  // namespace aprscope
