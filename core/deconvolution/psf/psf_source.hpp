#pragma once

#include "core/deconvolution/psf/psf_measured.hpp"
#include "core/deconvolution/psf/psf_resample.hpp"

// Functions shared by measured_psf() and psf_from_beads().

namespace aprscope {

/// The pixels of a PSF image as doubles. Errors: values not finite, no pixels, all values equal.
Result<PsfImage> psf_source(const Volume& volume);

/// The name for errors: "PSF name", or "PSF".
std::string psf_where(const Volume& volume);

/// Source pixels a pixel of the image, z, x, y. Says in `warnings` where they differ, or are
/// unknown.
std::array<double, 3> sampling_ratio(const Volume& source, const MeasureOptions& options,
                                     const VoxelSize& voxel, std::vector<std::string>& warnings);

/// Odd widths (z, x, y) as the size of a PSF on the image's grid. Errors: larger than any PSF, as
/// happens when voxel sizes are very different.
Result<Size3> resampled_size(const std::string& where, const Size3& source,
                             const std::array<double, 3>& widths,
                             const std::array<double, 3>& ratio);

/// Clips an image below 0 and scales it to sum 1. Error: nothing is left.
Result<Stencil> psf_stencil(PsfImage image, const Volume& source);

}  // namespace aprscope
