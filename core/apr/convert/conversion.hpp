#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/apr/convert/conversion_parameters.hpp"
#include "core/apr/convert/slice_source.hpp"
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

/// The same APR from an image that need not fit in memory: reads it two to four times (statistics,
/// levels, particle values), and holds the slices that the smoothing reaches over, a few planes of
/// the half grid, two bits for each 2×2×2 pixels, and the APR. Errors: also those of reading.
Result<Apr> convert_slices(SliceSource& source, const ConversionParameters& parameters,
                           const JobContext& context = {});

}  // namespace aprscope
