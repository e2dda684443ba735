#pragma once

#include <string>
#include <vector>

#include "core/apr/apr.hpp"
#include "core/apr/conversion.hpp"

namespace aprscope {

/// What a user wants to know about an APR.
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

/// Largest |I − Î| / σ between an image and the constant reconstruction of its APR, with σ the
/// local scale the conversion used (at least sigma_th; "infinite" below sigma_th_max of the APR's
/// parameters) at the half-grid voxel that holds the pixel, over pixels with I > min_intensity;
/// `where` is the first such pixel. Infinite where σ is 0 and I ≠ Î. Errors: sizes that differ, an
/// APR without fields, cancelled.
struct RelativeError {
  /// False when no pixel is above min_intensity: then there is no error to speak of.
  bool known = false;
  double largest = 0.0;
  Index3 where{0, 0, 0};
};
Result<RelativeError> relative_error(const Volume& volume, const Apr& apr,
                                     const GradientScale& scale, float sigma_th,
                                     float min_intensity, const JobContext& context = {});

}  // namespace aprscope
