#pragma once

#include <span>

#include "core/base/result.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// Grey values a photon, guessed from one image by photon transfer (Janesick 2001): the variance of
/// shot noise rises with the mean, by the gain a grey value. Blocks of 4 × 4 × 8 pixels are sorted
/// by their mean; the noise of a block is that of second differences along y, which are blind to
/// slopes, and of all blocks of about one mean the median counts, which is blind to edges. A line
/// through these variances has the gain as its slope and the camera's own noise as its start. Valid
/// for raw images of a camera. `values` in the order z, x, y. Errors: too few blocks, noise that
/// neighbouring pixels share (the image was smoothed or resampled), noise that does not rise with
/// the light.
Result<double> guess_photon_gain(std::span<const float> values, const Size3& size);

}  // namespace aprscope
