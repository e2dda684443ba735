#pragma once

#include <cstdint>
#include <span>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"

namespace aprscope {

/// How a field was compressed with the within-noise-level coding of 16-bit intensities (Balázs et
/// al. 2017, as the APR reference library applies it to particles): intensities pass a variance-
/// stabilising square root, are divided by the step `quantization` and rounded.
struct WnlParameters {
  float quantization = 1.0F;
  /// Intensity below which everything becomes `background`.
  float background = 0.0F;
};

/// Decodes a stored number to an intensity, rounded to the nearest integer and within 0 … 65535.
std::uint16_t wnl_decode(std::uint16_t stored, const WnlParameters& parameters);

/// Decodes a field in place. Errors: parameters that are not finite or a step that is not positive,
/// cancelled.
Status wnl_decode(std::span<std::uint16_t> values, const WnlParameters& parameters,
                  const JobContext& context = {});

}  // namespace aprscope
