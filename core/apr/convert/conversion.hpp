#pragma once

#include <memory>
#include <vector>

#include "core/apr/convert/slice_source.hpp"
#include "core/apr/structure/apr.hpp"
#include "core/base/job_context.hpp"

namespace aprscope {

/// How means of integer images are rounded on the way to particle values: at the end only, or down
/// at each level of the pyramid, as the reference implementation does (its files are then
/// reproduced exactly, but a coarse particle is up to one grey value a level too dark).
enum class SamplingRounding { nearest, truncate_each_level };

/// How a pixel image becomes an APR (Cheeseman et al. 2018; the order of the steps is that of the
/// reference implementation).
struct ConversionParameters {
  /// E: bound on |I − Î| / σ.
  float rel_error = 0.1F;
  /// λ ≥ 0 of the smoothing B-spline; 0 = no smoothing.
  float lambda = 3.0F;
  /// Find sigma_th and grad_th by Li's minimum cross-entropy threshold; the two below are ignored.
  bool auto_thresholds = true;
  /// Local scale σ is at least this (grey values) …
  float sigma_th = 0.0F;
  /// … and counts as infinite (60000 grey values, as in the reference) below this.
  float sigma_th_max = 0.0F;
  /// Gradients below this are 0 (grey values a pixel).
  float grad_th = 0.0F;
  /// Where the smoothed image is at or below this, the gradient is 0 (grey values).
  float intensity_th = 0.0F;
  /// Width of the PSF ÷ d of each dimension (i.e. in pixels) selects the window of σ; the default
  /// is that of the reference, so that E means the same in both.
  float psfz = 2.0F, psfx = 2.0F, psfy = 2.0F;
  /// Voxel size in the gradient and the level (1 = gradients a pixel).
  float dz = 1.0F, dx = 1.0F, dy = 1.0F;
  /// σ = mean − min of the whole image instead of a local one.
  bool constant_scale = false;
  /// Boundary and filler cells stay one particle (default of the reference); off refines boundary
  /// cells too.
  bool neighbourhood_optimisation = true;
  SamplingRounding rounding = SamplingRounding::nearest;

  friend bool operator==(const ConversionParameters&, const ConversionParameters&) = default;
};

/// Gradient magnitude and local intensity scale on the half grid, size ceil(n / 2) in each
/// dimension, before any threshold. Independent of the thresholds and of E, so a change of those
/// needs only build_access() again.
struct GradientScale {
  Size3 image_size;
  /// Maximum over each 2×2×2 block of |∇|.
  Pixels<float> gradient;
  Pixels<float> scale;
  /// Mean over each 2×2×2 block of the smoothed image; decides about intensity_th. Whole grey
  /// values where an integer image was smoothed, so that a trace of blur is not taken for signal.
  Pixels<float> intensity;
};

struct Thresholds {
  float sigma_th = 0.0F;
  float grad_th = 0.0F;
};

/// Steps 1–4: smoothing B-spline, gradient, half-resolution image, local scale. Uses lambda, psf*,
/// d*, constant_scale. Gradients within the rounding errors of the filter are 0. Errors: values
/// that are not finite (count and first position), parameters out of range, too little memory,
/// cancelled.
Result<GradientScale> compute_gradient_scale(const Volume& volume,
                                             const ConversionParameters& parameters,
                                             const JobContext& context = {});

/// Step 5: Li's minimum cross-entropy threshold (Li & Tam 1998) of gradient and of scale over
/// half-grid voxels whose intensity is above intensity_th.
Thresholds automatic_thresholds(const GradientScale& input, const ConversionParameters& parameters);

/// Steps 6–9: thresholds, local level, pulling scheme, particles. With auto_thresholds the
/// thresholds used are found first. `used`, if not null, receives the parameters with the
/// thresholds that were applied. The coarsest particles are at level 2 (level 1 in images of at
/// most 2 pixels a dimension), because seeds are refined once. Errors: the grids of `input` do not
/// fit, parameters out of range, too little memory, cancelled.
Result<std::shared_ptr<const AprAccess>> build_access(const GradientScale& input,
                                                      const ConversionParameters& parameters,
                                                      const JobContext& context = {},
                                                      ConversionParameters* used = nullptr);

/// Step 10: values of the particles from the pyramid of means (mean of the children that exist),
/// in the type of the volume; integers are rounded as `rounding` says. Errors: the size of the
/// volume is not that of access, too little memory, cancelled.
Result<FieldValues> sample_particles(const Volume& volume, const AprAccess& access,
                                     const JobContext& context = {},
                                     SamplingRounding rounding = SamplingRounding::nearest);

/// The whole conversion: an APR with field "particles" (the name that pyapr asks for by default),
/// voxel size, channel and parameters filled in.
Result<Apr> convert(const Volume& volume, const ConversionParameters& parameters,
                    const JobContext& context = {});

/// The same APR from an image that need not fit in memory: reads it two to four times (statistics,
/// levels, particle values), and holds the slices that the smoothing reaches over, a few planes of
/// the half grid, two bits for each 2×2×2 pixels, and the APR. Errors: also those of reading.
Result<Apr> convert_slices(SliceSource& source, const ConversionParameters& parameters,
                           const JobContext& context = {});

/// Bytes that convert() takes at most, the image included, for size and bytes a sample.
std::uint64_t conversion_bytes(const Size3& size, std::size_t bytes_a_sample);

}  // namespace aprscope
