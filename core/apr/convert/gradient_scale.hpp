#pragma once

#include "core/apr/convert/conversion_parameters.hpp"
#include "core/base/job_context.hpp"
#include "core/base/result.hpp"

namespace aprscope {

/// Steps 1–4: smoothing B-spline, gradient, half-resolution image, local scale. Uses lambda, psf*,
/// d*, constant_scale. Gradients within the rounding errors of the filter are 0. Errors: values
/// that are not finite (count and first position), parameters out of range, too little memory,
/// cancelled.
Result<GradientScale> compute_gradient_scale(const Volume& volume,
                                             const ConversionParameters& parameters,
                                             const JobContext& context = {});

}  // namespace aprscope
