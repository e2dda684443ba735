#pragma once

#include "core/base/job_context.hpp"
#include "core/filter/convolution.hpp"

namespace aprscope {

/// The filters of convolution.hpp on pixel images, a fair baseline for those on particles:
/// vectorised, threaded, separable stencils as 1-D passes, large others by Fourier transforms where
/// these are faster. `region` as in convolve(): only those pixels of `out` (same size as input) are
/// written. A region agrees with the whole bit for bit, but for rounding where only one of both is
/// transformed. Errors: cancelled, not enough memory.
Status convolve_pixels(const Pixels<float>& input, const Stencil& stencil, Boundary boundary,
                       const Region& region, Pixels<float>& out, const JobContext& context = {});
Status local_statistic_pixels(const Pixels<float>& input, LocalStatistic statistic, Size3 size,
                              Boundary boundary, const Region& region, Pixels<float>& out,
                              const JobContext& context = {});
Status gradient_magnitude_pixels(const Pixels<float>& input, const std::vector<Stencil>& components,
                                 Boundary boundary, const Region& region, Pixels<float>& out,
                                 const JobContext& context = {});

}  // namespace aprscope
