#pragma once

#include <QString>

#include "core/image/colormap.hpp"
#include "render/view_theme.hpp"

// What lies over a 3-D view of two volumes. For use while a Dear ImGui frame is being built.
namespace aprscope {

/// The handle between both at a part of the view's width, with their names beside it where they
/// have room.
void draw_handle(double fraction, const QString& left, const QString& right,
                 const ViewTheme& theme);

/// The colours of a signed difference from −range to range, at the right edge.
void draw_difference_legend(double range, const ColorTable& table, const ViewTheme& theme);

/// A name at the lower left.
void draw_caption(const QString& text, const ViewTheme& theme);
/// A sentence in the middle.
void draw_note(const QString& text, const ViewTheme& theme);

}  // namespace aprscope
