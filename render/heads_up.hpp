#pragma once

#include <QRectF>

#include "render/mip_view.hpp"

namespace aprscope {

/// The heads-up panel of the 3-D view, drawn with Dear ImGui inside a frame of the view's panel.
/// Returns where it lies, logical widget pixels. `collapsed` is both asked for and answered.
QRectF draw_heads_up(const MipInfo& info, const MipFrame& frame, const ViewTheme& theme,
                     bool& collapsed);

/// The frame of the view that has the keyboard.
void draw_focus(const ViewTheme& theme);

/// The lengths of the box's edges at their middles.
struct EdgeLabel {
  QPointF where;
  QString text;
  QColor color;
};
void draw_edge_labels(const std::vector<EdgeLabel>& labels, const ViewTheme& theme);

}  // namespace aprscope
