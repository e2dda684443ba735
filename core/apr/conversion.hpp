#pragma once

#include <memory>
#include <vector>

#include "core/apr/apr.hpp"
#include "core/base/job_context.hpp"

namespace aprscope {

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
  /// … and counts as infinite below this.
  float sigma_th_max = 0.0F;
  /// Gradients below this are 0 (grey values a pixel).
  float grad_th = 0.0F;
  /// Where the smoothed image is at or below this, the gradient is 0 (grey values).
  float intensity_th = 0.0F;
  /// Width of the PSF in pixels of each dimension ÷ voxel size selects the window of σ.
  float psfz = 1.0F, psfx = 1.0F, psfy = 1.0F;
  /// Voxel size in the gradient and the level (1 = gradients a pixel).
  float dz = 1.0F, dx = 1.0F, dy = 1.0F;
  /// σ = mean − min of the whole image instead of a local one.
  bool constant_scale = false;
  /// Boundary and filler cells stay one particle (default of the reference); off refines boundary
  /// cells too.
  bool neighbourhood_optimisation = true;

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
  /// Mean over each 2×2×2 block of the smoothed image; decides about intensity_th.
  Pixels<float> intensity;
};

struct Thresholds {
  float sigma_th = 0.0F;
  float grad_th = 0.0F;
};

/// Steps 1–4: smoothing B-spline, gradient, half-resolution image, local scale. Uses lambda, psf*,
/// d*, constant_scale. Errors: values that are not finite (count and first position), cancelled.
Result<GradientScale> compute_gradient_scale(const Volume& volume,
                                             const ConversionParameters& parameters,
                                             const JobContext& context = {});

/// Step 5: Li's minimum cross-entropy threshold (Li & Tam 1998) of gradient and of scale over
/// half-grid voxels whose intensity is above intensity_th.
Thresholds automatic_thresholds(const GradientScale& input, const ConversionParameters& parameters);

/// Steps 6–9: thresholds, local level, pulling scheme, particles. With auto_thresholds the
/// thresholds used are found first. `used`, if not null, receives the parameters with the
/// thresholds that were applied. Errors: cancelled.
Result<std::shared_ptr<const AprAccess>> build_access(const GradientScale& input,
                                                      const ConversionParameters& parameters,
                                                      const JobContext& context = {},
                                                      ConversionParameters* used = nullptr);

/// Step 10: values of the particles from the pyramid of means (mean of the children that exist),
/// in the type of the volume; integers are rounded to the nearest at the end only. The size of the
/// volume is that of access. Errors: cancelled.
Result<FieldValues> sample_particles(const Volume& volume, const AprAccess& access,
                                     const JobContext& context = {});

/// The whole conversion: an APR with field "particle_intensities", voxel size, channel and
/// parameters filled in.
Result<Apr> convert(const Volume& volume, const ConversionParameters& parameters,
                    const JobContext& context = {});

}  // namespace aprscope
