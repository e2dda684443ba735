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
  /// The backdrop of text on the picture, with alpha.
  QColor text_backdrop;
  QColor box;
  QColor preview_badge;
  QColor axis_z;
  QColor axis_x;
  QColor axis_y;
  /// The colour of what a threshold keeps, and of the threshold's line in plots.
  QColor level_set;
  /// The frame around the view that has the keyboard.
  QColor focus;
  bool dark = true;
  /// Texts are this many times as large as usual.
  double text_scale = 1.0;

  [[nodiscard]] const QColor& axis_color(Axis axis) const;
  /// Over data of any brightness a line has a light core, in the hue of its axis, …
  [[nodiscard]] QColor line_color(Axis axis) const;
  /// … between dark edges, in both themes.
  [[nodiscard]] static QColor line_edge();

  static ViewTheme dark_theme();
  static ViewTheme light_theme();
};

}  // namespace aprscope
