#pragma once

#include <vector>

#include "core/filter/stencil.hpp"

namespace aprscope {

/// The error of the far part of a PSF on the coarser grid, for a near part of a size: the kernel
/// that the finest particles see (mean over 2³ pixels, far kernel, trilinear interpolation) against
/// the PSF outside the near part.
struct NearError {
  Size3 near;
  /// Σ|difference| ÷ Σ|weight|, the largest over the eight positions in a coarse cell: no blurred
  /// value is off by more than this times the largest value of the image.
  double bound = 0.0;
  /// √Σ difference² ÷ √Σ weight²: the relative error for white noise; images are smoother.
  double rms = 0.0;
};

/// The errors of near parts of each of `sizes` (clipped to the PSF's size).
std::vector<NearError> near_errors(const Stencil& psf, const std::vector<int>& sizes);

/// The near sizes that are tried when none is given. A PSF that would need more by its rms is wide,
/// and images that it made are smooth over several pixels, where the far part loses far less than
/// of noise: measured beads of 7 pixels FWHM came within 46 dB of the whole stencil with 7³.
const std::vector<int>& near_sizes();

/// The smallest of near_sizes() whose rms is at most `tolerance`, or the largest.
NearError choose_near(const Stencil& psf, double tolerance, std::vector<NearError>* tried);

}  // namespace aprscope
