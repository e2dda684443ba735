#pragma once

#include <span>

#include "core/image/colormap.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// b − a, pixel by pixel; empty where the shapes differ.
Plane difference(const Plane& a, const Plane& b);

/// Contrast for signed differences: as far below zero as above, so that zero is the middle of a
/// diverging colour map. Reaches the 99.9 % quantile of the magnitudes (single outliers would wash
/// out everything else); 1 where all are zero. Values that are not finite do not count.
Contrast symmetric_contrast(std::span<const float> differences);

/// A slice as an image of one plane, for compare_images().
Pixels<float> plane_image(const Plane& plane);

}  // namespace aprscope
