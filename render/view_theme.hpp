#pragma once

#include <QColor>

#include "core/image/volume.hpp"

namespace aprscope {

/// Colours of a view. An axis has one colour everywhere: the crosshair line, the frame and the
/// plane in the 3-D view of the slices perpendicular to it.
struct ViewTheme {
  QColor background;
  QColor text;
  QColor muted_text;
  /// Behind text that lies on the picture; its alpha counts.
  QColor text_backdrop;
  QColor box;
  QColor preview_badge;
  QColor axis_z;
  QColor axis_x;
  QColor axis_y;
  bool dark = true;

  [[nodiscard]] const QColor& axis_color(Axis axis) const;

  static ViewTheme dark_theme();
  static ViewTheme light_theme();
};

}  // namespace aprscope
