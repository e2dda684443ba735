#pragma once

#include <QColor>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <vector>

#include "render/mip_info.hpp"
#include "render/view_theme.hpp"

namespace aprscope {

/// The heads-up panel of the 3-D view, drawn with Dear ImGui inside a frame of the view's panel.
/// Returns its rectangle in logical widget pixels. `collapsed`: its state, before and after.
QRectF draw_heads_up(const MipInfo& info, const MipFrame& frame, const ViewTheme& theme,
                     bool& collapsed);

/// Draws a frame around the view, which shows that it has the keyboard.
void draw_focus(const ViewTheme& theme);

/// The length of an edge of the volume's box, and the position of its middle.
struct EdgeLabel {
  QPointF where;
  QString text;
  QColor color;
};
void draw_edge_labels(const std::vector<EdgeLabel>& labels, const ViewTheme& theme);

}  // namespace aprscope
