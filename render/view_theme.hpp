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
  /// What a threshold keeps; its line in plots has the same colour.
  QColor level_set;
  /// Around the view that has the keyboard.
  QColor focus;
  bool dark = true;
  /// Texts are this many times as large as usual.
  double text_scale = 1.0;

  [[nodiscard]] const QColor& axis_color(Axis axis) const;
  /// A line over data of any brightness has a light core of the axis' hue …
  [[nodiscard]] QColor line_color(Axis axis) const;
  /// … between dark edges, in both themes.
  [[nodiscard]] static QColor line_edge();

  static ViewTheme dark_theme();
  static ViewTheme light_theme();
};

}  // namespace aprscope
