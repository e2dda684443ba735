#pragma once

#include "core/apr/parallel.hpp"
#include "core/base/result.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// Smoothing B-spline coefficients of a whole image, less `offset`, order z → x → y.
struct SplineImage {
  Size3 size;
  Scratch<float> values;
  /// Grey value that was subtracted, so that a constant image is exactly 0 throughout.
  float offset = 0.0F;
  /// Differences between neighbouring coefficients up to this are rounding errors (grey values).
  float noise = 0.0F;
};

/// Filters each dimension longer than 2 with make_spline_filter(lambda); λ = 0 leaves the image as
/// it is. Throws std::bad_alloc. Errors: values that are not finite (count and first position),
/// cancelled.
Result<SplineImage> make_spline_image(const Volume& volume, double lambda,
                                      const JobContext& context);

}  // namespace aprscope
