#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/cells/label_scene.hpp"
#include "core/image/colormap.hpp"
#include "core/image/label_plane.hpp"

namespace aprscope {

/// A picture of labels in colours, RGBA, 4 bytes a ray: surfaces in the light, darker where two
/// labels meet; while some are chosen (in ascending order), these as they are and the others like
/// glass before and behind them. A projection has the colours of its labels, grey where there are
/// none, in the contrast of the image; what is not chosen is darker and grey. The palette of
/// `colours` must have at least two.
std::vector<std::uint8_t> label_picture_colors(const LabelPicture& picture,
                                               const LabelColours& colours,
                                               std::span<const std::uint32_t> chosen,
                                               const Contrast& contrast,
                                               const std::array<std::uint8_t, 4>& background);

/// The pixel that a picture shows at a ray, and its label.
struct LabelPick {
  std::int64_t pixel = -1;
  std::uint32_t label = 0;
};
/// The pixel and label at a ray; `ray`: row · width + column.
LabelPick picked(const LabelPicture& picture, std::size_t ray);

}  // namespace aprscope
