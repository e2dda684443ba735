#pragma once

#include "core/image/colormap.hpp"
#include "render/surface_paint.hpp"
#include "render/view_theme.hpp"

namespace aprscope {

/// The colour table for surfaces, from the lower limit of values to the upper one.
const ColorTable& paint_colors();

/// Draws a colour bar at the lower right with both limits and the unit, if there is room. Call
/// while a Dear ImGui frame is being built.
void draw_paint_legend(const SurfacePaint& paint, const ViewTheme& theme);

}  // namespace aprscope
