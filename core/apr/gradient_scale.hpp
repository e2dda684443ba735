#pragma once

#include "core/apr/conversion.hpp"
#include "core/apr/spline_image.hpp"

namespace aprscope {

/// Size of the half grid: ceil(n / 2) in each dimension.
Size3 half_size(const Size3& size);

/// From coefficients on the full grid: `gradient` = the maximum over each 2×2×2 block of the
/// magnitude of central differences over 2·d (edges replicated), 0 where it is at most
/// image.noise; `mean` = mean over the pixels of each block, less image.offset. Both have size
/// half_size(image.size). False when cancelled. Throws std::bad_alloc.
bool gradient_and_mean(const SplineImage& image, float dz, float dx, float dy,
                       Pixels<float>& gradient, Pixels<float>& mean, const JobContext& context);

/// Spline values from spline coefficients: [1, 4, 1] / 6 in each dimension longer than 1, mirrored
/// about the first and the last sample. False when cancelled. Throws std::bad_alloc.
bool spline_values(const Pixels<float>& coefficients, Pixels<float>& values,
                   const JobContext& context);

}  // namespace aprscope
