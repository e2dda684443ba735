#pragma once

#include <span>
#include <vector>

#include "gpu/engines/engine.hpp"

namespace aprscope::gpu {

/// A filter on the device. Without regions `out` is all new; with some, of particles only those
/// that they touch are computed, and come from the device. Errors: values that are not finite,
/// stencils that do not fit, CUDA, too little memory there, cancelled.
Status filter_values(const EngineHost& host, const Operation& operation, const Dataset& input,
                     std::span<const Region> regions, std::vector<float>& out,
                     const JobContext& context);

/// Passes over particles are for short lines there; the product of long ones would not end.
bool is_too_wide(const Operation& operation, const Dataset& input);

}  // namespace aprscope::gpu
