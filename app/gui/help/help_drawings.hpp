#pragma once

#include "app/gui/help/help_canvas.hpp"

namespace aprscope::gui {

/// Width of every picture.
inline constexpr int kHelpWidth = 640;

// Each function draws one picture from (0, 0) on, with the height stated in help_pictures.cpp.

// In help_drawings_cells.cpp
void draw_particles_picture(HelpCanvas& canvas);
void draw_levels_picture(HelpCanvas& canvas);
void draw_display_picture(HelpCanvas& canvas);
void draw_compare_picture(HelpCanvas& canvas);
// In help_drawings_signal.cpp
void draw_bound_picture(HelpCanvas& canvas);
void draw_scale_picture(HelpCanvas& canvas);
// In help_drawings_stencils.cpp
void draw_stencils_picture(HelpCanvas& canvas);
// In help_drawings_blur.cpp
void draw_deconvolution_picture(HelpCanvas& canvas);
// In help_drawings_keeping.cpp
void draw_keeping_picture(HelpCanvas& canvas);

}  // namespace aprscope::gui
