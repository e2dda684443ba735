#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/image/slice_place.hpp"
#include "gpu/engines/engine.hpp"

namespace aprscope::gpu {

/// Runs a filter on the device. Without regions, `out` is replaced; with regions, only particles
/// that they touch are computed and brought back. Errors: values that are not finite, stencils that
/// do not fit, CUDA, too little memory there, cancelled.
Status filter_values(const EngineHost& host, const Operation& operation, const Dataset& input,
                     std::span<const Region> regions, std::vector<float>& out,
                     const JobContext& context);

/// Slices of the result of a filter of particles, see Backend::filtered_slices(); none: of an
/// image, or of particles that the device cannot hold at once. Errors: as filter_values().
Result<std::optional<std::vector<Plane>>> filter_slices(const EngineHost& host,
                                                        const Operation& operation,
                                                        const Dataset& input,
                                                        std::span<const SlicePlace> slices,
                                                        const JobContext& context);

/// Whether stencils are long lines: too long for passes there, and their product takes too long.
bool is_too_wide(const Operation& operation, const Dataset& input);

}  // namespace aprscope::gpu
