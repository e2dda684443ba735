#pragma once

#include "core/base/result.hpp"
#include "core/filter/stencil.hpp"

namespace aprscope {

/// A Wiener–Butterworth back projector (Guo et al. 2020, Nat. Biotechnol. 38:1337), see
/// wiener_butterworth().
struct WienerButterworth {
  /// Limits the gain of the Wiener filter where the PSF lets little through; above 0.
  double alpha = 1e-2;
  /// Gain of the filter at the cut-off; 0: that of the PSF there.
  double beta = 1e-2;
  /// How steeply it falls there, from 1.
  int order = 10;
  friend bool operator==(const WienerButterworth&, const WienerButterworth&) = default;
};

/// The size of a back projector for this PSF: up to 4 widths of the PSF (FWHM) on each side, where
/// what is left of it is small, at least the PSF's own, at most the largest odd size in `image`; 1
/// where the PSF is one pixel thick.
Size3 back_projector_size(const Stencil& psf, const Size3& image);

/// The kernel to convolve with in place of the flipped PSF in Richardson–Lucy: a Wiener filter of
/// it, cut off where the PSF resolves nothing. With F the transform of the PSF about its centre (1
/// at frequency 0), k in cycles a pixel and k_c,d = 1 ÷ FWHM_d:
///   W = (1 + α) F* ÷ (|F|² + α),  w² = Σ_d (k_d ÷ k_c,d)²,
///   B = W ÷ √(1 + ε w²ⁿ),         ε = (W_c ÷ β)² − 1, at least 0,
/// with W_c the mean over the axes of |W| at k_c,d on the axis, so that B is β there and 1 at
/// frequency 0. (The authors' program has W_c ÷ β² − 1: its gain at the cut-off is not β.) B holds
/// at the frequencies of a periodic grid of `size`, odd and at least the PSF's; the weights sum to
/// 1, and some are negative. Errors: a PSF or a size that does not do, options out of range, a PSF
/// that does not fall to one half within its size, no memory.
Result<Stencil> wiener_butterworth(const Stencil& psf, const WienerButterworth& options,
                                   const Size3& size);

}  // namespace aprscope
