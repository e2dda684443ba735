#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/apr/convert/conversion_parameters.hpp"
#include "core/apr/structure/apr.hpp"
#include "core/base/job_context.hpp"

namespace aprscope {

/// Steps 6–9: thresholds, local level, pulling scheme, particles. With auto_thresholds the
/// thresholds used are found first. `used`, if not null, receives the parameters with the
/// thresholds that were applied. The coarsest particles are at level 2 (level 1 in images of at
/// most 2 pixels a dimension), because seeds are refined once. Errors: the grids of `input` do not
/// fit, parameters out of range, too little memory, cancelled.
Result<std::shared_ptr<const AprAccess>> build_access(const GradientScale& input,
                                                      const ConversionParameters& parameters,
                                                      const JobContext& context = {},
                                                      ConversionParameters* used = nullptr);

/// The whole conversion: an APR with field "particles" (the name that pyapr asks for by default),
/// voxel size, channel and parameters filled in.
Result<Apr> convert(const Volume& volume, const ConversionParameters& parameters,
                    const JobContext& context = {});

}  // namespace aprscope
