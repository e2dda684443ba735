#include "render/view_theme.hpp"

namespace aprscope {

const QColor& ViewTheme::axis_color(Axis axis) const {
  return axis == Axis::z ? axis_z : axis == Axis::x ? axis_x : axis_y;
}

QColor ViewTheme::line_color(Axis axis) const {
  // The light theme's axis colours are for a light background, but data is mostly dark.
  return dark ? axis_color(axis) : dark_theme().axis_color(axis);
}

QColor ViewTheme::line_edge() { return {0, 0, 0, 150}; }

ViewTheme ViewTheme::dark_theme() {
  ViewTheme t;
  t.background = QColor(0x0e, 0x10, 0x16);
  t.text = QColor(0xe6, 0xe8, 0xee);
  t.muted_text = QColor(0xb4, 0xba, 0xc8);
  t.text_backdrop = QColor(0x0e, 0x10, 0x16, 190);
  t.box = QColor(0x4a, 0x52, 0x66);
  t.preview_badge = QColor(0xff, 0xb3, 0x4f);
  t.axis_z = QColor(0x5a, 0xa9, 0xff);
  t.axis_x = QColor(0x6e, 0xd6, 0x8a);
  t.axis_y = QColor(0xff, 0x7a, 0x7a);
  t.level_set = QColor(0xff, 0x6a, 0x3d);
  t.focus = QColor(0x8a, 0x97, 0xff);
  t.dark = true;
  return t;
}

ViewTheme ViewTheme::light_theme() {
  ViewTheme t;
  t.background = QColor(0xf3, 0xf4, 0xf7);
  t.text = QColor(0x1c, 0x20, 0x2b);
  t.muted_text = QColor(0x5d, 0x66, 0x78);
  t.text_backdrop = QColor(0xf3, 0xf4, 0xf7, 228);
  t.box = QColor(0xa6, 0xae, 0xbd);
  t.preview_badge = QColor(0xc9, 0x6a, 0x00);
  t.axis_z = QColor(0x1f, 0x6f, 0xd1);
  t.axis_x = QColor(0x1f, 0x91, 0x4a);
  t.axis_y = QColor(0xc8, 0x3c, 0x3c);
  t.level_set = QColor(0xd9, 0x45, 0x14);
  t.focus = QColor(0x4a, 0x58, 0xdc);
  t.dark = false;
  return t;
}

}  // namespace aprscope
