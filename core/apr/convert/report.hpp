#pragma once

#include <string>
#include <vector>

#include "core/apr/convert/conversion.hpp"
#include "core/apr/structure/apr.hpp"

namespace aprscope {

/// Facts about an APR for users.
struct AprReport {
  double computational_ratio = 0.0;
  std::uint64_t particles = 0;
  /// Particles of level i at [i]; index 0 is unused.
  std::vector<std::uint64_t> particles_per_level;
  std::uint64_t bytes_apr = 0;
  /// Bytes of the pixel image in the type of the main field.
  std::uint64_t bytes_pixels = 0;
};
AprReport report(const Apr& apr);

/// How |I − Î| / σ between an image and the constant reconstruction of its APR is distributed, with
/// σ the local scale the conversion used (at least sigma_th; "infinite" below sigma_th_max of the
/// APR's parameters) at the half-grid voxel that holds the pixel, over pixels with
/// I > min_intensity. It is infinite where σ is 0 and I ≠ Î. Errors: sizes that differ, an APR
/// without fields, cancelled.
struct RelativeError {
  /// False when no pixel is above min_intensity: then there is no error to speak of.
  bool known = false;
  double largest = 0.0;
  /// The first pixel with the largest error.
  Index3 where{0, 0, 0};
  /// Pixels above min_intensity, and those of them whose error is at most rel_error (of the APR's
  /// parameters). Noise of single pixels is no part of the bound, which is one on the smoothed
  /// signal.
  std::uint64_t pixels = 0;
  std::uint64_t within = 0;
  /// Both counts among pixels where the bound is promised: the gradient counts, i.e. is above 0 and
  /// at least grad_th of the APR's parameters, and the scale is finite.
  std::uint64_t promised = 0;
  std::uint64_t promised_within = 0;
};
Result<RelativeError> relative_error(const Volume& volume, const Apr& apr,
                                     const GradientScale& scale, float sigma_th,
                                     float min_intensity, const JobContext& context = {});

/// The largest relative error that gives the same particles as every smaller one: up to it, all
/// voxels whose gradient counts are at the finest level, so that the thresholds alone decide. From
/// level = floor(log2(|∇| · 2^level_max · d / (E · σ))) ≥ level_max − 1 (Cheeseman et al. 2018):
/// min 2 · d · |∇| / σ. Infinite where no gradient counts. `used`: with the thresholds applied.
double idle_relative_error(const GradientScale& scale, const ConversionParameters& used);

}  // namespace aprscope
