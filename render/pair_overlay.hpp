#pragma once

#include <QString>

#include "core/image/colormap.hpp"
#include "render/view_theme.hpp"

// Drawings over a 3-D view of two volumes. Call while a Dear ImGui frame is being built.
namespace aprscope {

/// Draws the handle at this fraction of the view's width, with the names of both volumes beside it
/// where there is room.
void draw_handle(double fraction, const QString& left, const QString& right,
                 const ViewTheme& theme);

/// Draws the colours of a signed difference from −range to range, at the right edge.
void draw_difference_legend(double range, const ColorTable& table, const ViewTheme& theme);

/// Draws a name at the lower left.
void draw_caption(const QString& text, const ViewTheme& theme);
/// Draws a sentence in the middle.
void draw_note(const QString& text, const ViewTheme& theme);

}  // namespace aprscope
