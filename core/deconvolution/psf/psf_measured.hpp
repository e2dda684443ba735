#pragma once

#include <vector>

#include "core/base/job_context.hpp"
#include "core/deconvolution/psf/psf.hpp"

namespace aprscope {

/// How an image becomes a PSF.
struct MeasureOptions {
  /// Subtract the level of its borders and clear noise.
  bool background = true;
  /// Move the spot into the middle, to a fraction of a pixel.
  bool center = true;
  /// Make it anew with the voxels of the image that it is for, where theirs differ.
  bool resample = true;
  /// Size of the PSF in pixels; 0: what the measured image holds.
  Size3 size{0, 0, 0};
};

/// A PSF from the image of one: background removed, centred, resampled to `voxel` (that of the
/// image to deconvolve, whose extent is `image`, {0, 0, 0}: unknown), cut to size, below 0 → 0, sum
/// 1. Coverage is relative to the light that was measured. Warnings: off-centre or even-sized
/// (corrected or not), other voxels, several bright spots, and those of check_psf(). Errors: values
/// that are not finite (how many, where the first), all zero, no voxel of it left, those of
/// check_psf() and chosen_psf_size(), cancelled, out of memory.
Result<MadePsf> measured_psf(const Volume& measured, const MeasureOptions& options,
                             const VoxelSize& voxel, const Size3& image,
                             const JobContext& context = {});

/// A bead that was picked, and what came of it.
struct Bead {
  /// The picked pixel; brightest pixel and sub-pixel centre found from there.
  Index3 picked;
  Index3 peak;
  std::array<double, 3> centre{0.0, 0.0, 0.0};
  /// Peak above the background ÷ noise of the background.
  double signal_to_noise = 0.0;
  bool used = false;
  /// Why it is not used.
  std::string reason;
};

struct BeadPsf {
  MadePsf made;
  std::vector<Bead> beads;
};

/// Average of several beads of one image, each centred to a fraction of a pixel and weighing the
/// same. `size` in pixels of the result; 0: five times the width at half maximum of the first bead.
/// A bead too close to the border, to another bead, or not above the noise is left out and says
/// why. Coverage is relative to the light in the automatic size. Errors: no bead left (with the
/// reasons), those of measured_psf().
Result<BeadPsf> psf_from_beads(const Volume& beads, const std::vector<Index3>& picked,
                               const MeasureOptions& options, const VoxelSize& voxel,
                               const Size3& image, const JobContext& context = {});

/// The brightest pixel near a position where somebody clicked, searched a few pixels around.
Index3 bead_near(const Volume& beads, const Index3& picked);

}  // namespace aprscope
