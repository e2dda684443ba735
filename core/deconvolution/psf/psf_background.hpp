#pragma once

#include "core/deconvolution/psf/psf_resample.hpp"

namespace aprscope {

/// Level and noise of what surrounds a spot, from the shell of an image.
struct PsfBackground {
  double level = 0.0;
  /// Standard deviation of the background.
  double noise = 0.0;
};

/// Mean and deviation of the outermost pixels without what stands out of them (3 deviations).
PsfBackground psf_background(const PsfImage& image);

/// Takes the level off and clears what is noise: where the mean of 3³ pixels is not significantly
/// above the level (5 standard deviations of such a mean) the result is 0, and nowhere below it.
void remove_psf_background(PsfImage& image, const PsfBackground& background);

/// The brightest peak that is no part of the spot around `peak` (that is: reached from there only
/// over pixels below 0.3 of it), as a fraction of the peak. 0: there is none.
double second_spot(const PsfImage& image, const Index3& peak);

}  // namespace aprscope
