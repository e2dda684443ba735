#pragma once

#include <memory>

#include "core/deconvolution/blur_model.hpp"

namespace aprscope {

/// Blur on pixels by transform, mirrored about the faces of the image (… 1 0 0 1 …): the border of
/// the full PSF on particles, where no pixel counts half and no level has another mirror. (Stencils
/// and make_pixel_blur() reflect about the edge pixels, … 2 1 0 1 2 …; borders differ by up to 2 %
/// of the values there.) An even PSF acts on cosine transforms, in the memory of the result and
/// without padding; for others, and images of sizes that FFTW is slow with, the image is padded.
/// Errors: a PSF that check() refuses, no memory.
Result<std::unique_ptr<BlurModel>> make_mirrored_pixel_blur(const Size3& size, const Stencil& psf);

}  // namespace aprscope
