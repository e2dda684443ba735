#pragma once

#include <QPointF>
#include <QString>
#include <vector>

#include "core/apr/slice.hpp"
#include "render/slice_view.hpp"

namespace aprscope {

/// What is drawn over the picture of a slice view: in logical widget pixels, ready to draw.
struct SliceOverlay {
  ViewTheme theme;
  QSizeF size;
  // crosshair
  bool crosshair = true;
  QPointF cross;
  QColor horizontal_color;
  QColor vertical_color;
  QRectF picture;
  // texts
  bool captions = true;
  QColor axis_color;
  QString title;
  SliceCaption caption;
  // scale bar
  bool bar = true;
  SliceView::ScaleBar scale_bar;
};

/// Draws with Dear ImGui; call inside a frame of the view's panel.
void draw_slice_overlay(const SliceOverlay& overlay);

/// A dot of dots mode, in logical widget pixels.
struct ScreenDot {
  float x = 0.0F;
  float y = 0.0F;
  float radius = 1.0F;
  std::uint32_t rgba = 0;
};
void draw_dots(const std::vector<ScreenDot>& dots);

}  // namespace aprscope
