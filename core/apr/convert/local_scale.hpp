#pragma once

#include <array>

#include "core/apr/convert/conversion_parameters.hpp"

namespace aprscope {

/// The two box windows of the local intensity scale σ = K · box_outer(|I − box_inner(I)|) in one
/// dimension, as half-widths; both 0 where the dimension takes no part. I is mirrored by the wider
/// window; box windows end at the border of the mirrored image.
struct ScaleWindow {
  int inner = 0;
  int outer = 0;
  [[nodiscard]] bool active() const { return outer > 0; }
};

/// Windows (order z, x, y) and factor K of an image on the half grid. The class of a dimension is
/// clamp(round(psf / d) − 1, 0, 5); it takes part when it is longer than both half-widths.
struct ScaleWindows {
  std::array<ScaleWindow, 3> window;
  /// Makes σ of a step its height. Tabulated for equal classes in all dimensions; for unequal ones
  /// it is the geometric mean over the dimensions that take part.
  float factor = 0.0F;
  [[nodiscard]] bool any() const {
    return window[0].active() || window[1].active() || window[2].active();
  }
};
ScaleWindows scale_windows(const Size3& half, const ConversionParameters& parameters);

}  // namespace aprscope
