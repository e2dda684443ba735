#pragma once

#include "core/image/volume.hpp"

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
  /// Mean over each 2×2×2 block of the smoothed image; compared with intensity_th. Whole grey
  /// values where an integer image was smoothed, so that a trace of blur is not taken for signal.
  Pixels<float> intensity;
};

struct Thresholds {
  float sigma_th = 0.0F;
  float grad_th = 0.0F;
};

}  // namespace aprscope
