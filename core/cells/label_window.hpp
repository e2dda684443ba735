#pragma once

#include "core/image/labels.hpp"
#include "core/image/region.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// Labels and values of a box of an image of this size.
struct LabelWindow {
  Size3 size{0, 0, 0};
  Region box{};
  /// Labels of the pixels of the box in memory order; `largest` is that of the whole image.
  const Labels& labels;
  /// Pixels of the box; used by split only.
  const AnyPixels& pixels;
};

}  // namespace aprscope
