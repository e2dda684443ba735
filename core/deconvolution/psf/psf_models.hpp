#pragma once

#include "core/base/job_context.hpp"
#include "core/deconvolution/psf/psf.hpp"

namespace aprscope {

/// The parameters of a wide-field microscope that its PSF depends on.
struct Microscope {
  double na = 1.4;
  /// Wavelength of the emitted light in vacuum, nm.
  double wavelength = 520.0;
  /// Refractive index of the immersion medium.
  double n_immersion = 1.518;

  // The rest is for Gibson–Lanni only.
  double n_sample = 1.33;
  /// How deep below the cover glass the light comes from, µm.
  double depth = 0.0;
  /// Thickness of the cover glass, µm; the one the objective is made for, µm; refractive index.
  double cover_glass = 170.0;
  double cover_glass_design = 170.0;
  double n_cover_glass = 1.5;
  /// Index of the immersion medium that the objective is made for (0: n_immersion), and its
  /// thickness in µm.
  double n_immersion_design = 0.0;
  double working_distance = 150.0;
};

/// The PSF of Born and Wolf: a perfect lens, scalar, with a pupil filled evenly,
///   h(r, z) = |∫₀¹ J₀(k na r ρ) exp(i k z √(n² − na² ρ²)) 2ρ dρ|²,
/// at the centres of voxels of this size. `size` 0 in a dimension: automatic (three times the first
/// dark point on the axis and the cone of light there, at most the image); a dimension of one pixel
/// stays one. Coverage is relative to a PSF as large as the image ({0, 0, 0}: of twice the size).
/// Errors: a voxel size that is no length, values that no microscope has, those of
/// chosen_psf_size(), cancelled, out of memory.
Result<MadePsf> born_wolf_psf(const Microscope& microscope, const VoxelSize& voxel,
                              const Size3& size, const Size3& image,
                              const JobContext& context = {});

/// A PSF with where its focus lies.
struct GibsonLanniPsf {
  MadePsf made;
  /// How much deeper than the light's origin the stage says that it is in focus, µm.
  double focal_shift = 0.0;
};

/// The PSF of Gibson and Lanni (1991): light from `depth` below the cover glass in a medium of
/// index n_sample, through a glass and an immersion that may not be what the objective is made for.
/// z grows with depth. The plane where the axis is brightest comes into the middle. Rays beyond the
/// critical angle of the sample are left out, with a warning. Without mismatch this is
/// born_wolf_psf(). Size, coverage and errors as born_wolf_psf().
Result<GibsonLanniPsf> gibson_lanni_psf(const Microscope& microscope, const VoxelSize& voxel,
                                        const Size3& size, const Size3& image,
                                        const JobContext& context = {});

}  // namespace aprscope
