#pragma once

#include "core/image/colormap.hpp"
#include "render/mip_paint.hpp"
#include "render/view_theme.hpp"

namespace aprscope {

/// The colours that a surface is coloured with, from the lower limit to the upper one.
const ColorTable& paint_colors();

/// A bar of them at the lower right with both limits and the unit, where there is room. For use
/// while a Dear ImGui frame is being built.
void draw_paint_legend(const SurfacePaint& paint, const ViewTheme& theme);

}  // namespace aprscope
