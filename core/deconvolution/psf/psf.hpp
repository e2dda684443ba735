#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/filter/stencil.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// A PSF is a Stencil: odd size, its centre in the middle, weights ≥ 0 of sum 1. Weight (z, x, y)
/// is the light that a point at the centre leaves there (a convolution, where filters correlate).

/// A PSF with what a person should know about it.
struct MadePsf {
  Stencil psf;
  /// Fraction of the light inside its size: of the whole PSF where that is known (Gaussian, file),
  /// else of a PSF as large as the image.
  double coverage = 1.0;
  /// Whole sentences that say what to do.
  std::vector<std::string> warnings;
};

/// Figures of a PSF, in pixels of each dimension (z, x, y).
struct PsfReport {
  Size3 size;
  double sum = 0.0;
  /// Full width at half maximum along the line through the centre; 0 where the PSF is not wide
  /// enough to fall to one half.
  std::array<double, 3> fwhm{0.0, 0.0, 0.0};
  /// Centre of gravity of what is brighter than half of the peak, from the middle.
  std::array<double, 3> offset{0.0, 0.0, 0.0};
};
PsfReport psf_report(const Stencil& psf);

/// Checks a PSF for what would make a deconvolution wrong. Errors: an even size, weights that are
/// not finite, below zero or all zero, larger than the image (`image` {0, 0, 0}: unknown).
/// Warnings: off-centre, light at its borders (an offset, or cut off).
Result<std::vector<std::string>> check_psf(const Stencil& psf, const Size3& image);

/// Fraction of the sum inside a centred box (sizes beyond the PSF count as its own).
double psf_coverage(const Stencil& psf, const Size3& size);

/// The centred part of this size (never larger than the PSF), scaled to sum 1.
Stencil truncate_psf(const Stencil& psf, const Size3& size);

/// Length of a voxel's unit in µm; nothing for "px" and what is no length.
std::optional<double> psf_micrometres(const std::string& unit);

/// The largest odd size that fits into an image.
Size3 largest_psf_size(const Size3& image);

/// The wanted size, and `automatic` (cut to the image) in dimensions where that is 0. Errors: even,
/// larger than the image.
Result<Size3> chosen_psf_size(const Size3& wanted, const Size3& automatic, const Size3& image);

/// A Gaussian; sigma in pixels (z, x, y). Automatic size: 3 sigma on both sides. Coverage: part of
/// the infinite Gaussian. Errors: those of chosen_psf_size(), sigma below 0 or above 1000.
Result<MadePsf> gaussian_psf(const std::array<double, 3>& sigma, const Size3& size,
                             const Size3& image);

}  // namespace aprscope
