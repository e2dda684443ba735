// Two volumes in one 3-D view: a handle between them, or their difference.
#include <QApplication>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include <vtkRenderer.h>

#include "render/mip_view_state.hpp"
#include "render/overlay_sizes.hpp"
#include "render/paint_legend.hpp"
#include "render/pair_overlay.hpp"

namespace aprscope {
namespace {

constexpr const char* kDifferenceColors = "diverging";
constexpr double kDarker = 0.72;  // factor for what a threshold does not keep

// A table from black to a colour, and on to white where light falls perpendicularly.
ColorTable shades_of(const QColor& color) {
  const double parts[3] = {color.redF(), color.greenF(), color.blueF()};
  ColorTable table;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const double light = static_cast<double>(i) / 255.0;
    const double shine = std::max(0.0, light - 0.8);
    for (std::size_t c = 0; c < 3; ++c) {
      const double part = parts[c] * light + (1.0 - parts[c]) * shine;
      table[i][c] = static_cast<std::uint8_t>(std::lround(255.0 * std::min(1.0, part)));
    }
    table[i][3] = 255;
  }
  return table;
}

}  // namespace

// Colours the first volume, or the difference.
void MipView::Impl::color_first(double range, const std::array<std::uint8_t, 4>& nothing) {
  if (differs()) {
    colors =
        apply_colormap(picture.values, {-range, range, 1.0}, colormap(kDifferenceColors), nothing);
    return;
  }
  if (is_surface) {
    colors = apply_colormap(picture.values, {0.0, 1.0, 1.0}, shades_of(theme.level_set), nothing);
    return color_paint();
  }
  if (label_picture && label_colours) {
    colors = label_picture_colors(*label_picture, *label_colours, chosen_labels, contrast, nothing);
    return;
  }
  if (blended) return color_channels(nothing);
  colors = apply_colormap(picture.values, contrast, table, nothing);
  if (!level_set) return;
  LevelSetMarks marks;
  marks.set = *level_set;
  marks.darker = kDarker;
  mark_level_set(picture.values, 0, marks, colors);
}

// Colours the picture, each side of the handle separately, as the background of the scene.
void MipView::color_picture() {
  const QColor& b = impl_->theme.background;
  const auto byte = [](int v) { return static_cast<std::uint8_t>(v); };
  const std::array<std::uint8_t, 4> nothing{byte(b.red()), byte(b.green()), byte(b.blue()), 255};
  if (impl_->colors_stale) {
    impl_->color_first(comparison_.difference_range(), nothing);
    impl_->second_colors.clear();
    if (impl_->parted()) {
      impl_->second_colors = apply_colormap(impl_->second_picture.values, impl_->second_contrast,
                                            impl_->second_table, nothing);
    }
  }
  const int w = impl_->picture.width;
  const int h = impl_->picture.height;
  int extent[6];
  impl_->image->GetExtent(extent);
  if (extent[1] != w - 1 || extent[3] != h - 1) {
    impl_->image->SetExtent(0, w - 1, 0, h - 1, 0, 0);
    impl_->image->AllocateScalars(VTK_UNSIGNED_CHAR, 4);
  }
  auto* const out = static_cast<std::uint8_t*>(impl_->image->GetScalarPointer());
  const std::ptrdiff_t line = static_cast<std::ptrdiff_t>(w) * 4;
  const bool parted = !impl_->second_colors.empty();
  const std::ptrdiff_t left = parted ? std::lround(impl_->reveal * w) * std::ptrdiff_t{4} : line;
  for (int r = 0; r < h; ++r) {  // VTK starts with the lowest row
    std::uint8_t* const to = out + (h - 1 - r) * line;
    std::copy_n(impl_->colors.data() + r * line, left, to);
    if (parted) std::copy_n(impl_->second_colors.data() + r * line + left, line - left, to + left);
  }
  impl_->image->Modified();
  impl_->texture->Modified();
  renderer()->SetBackgroundTexture(impl_->texture);
  renderer()->TexturedBackgroundOn();
  impl_->colors_stale = false;
  impl_->parts_stale = false;
}

bool MipView::event(QEvent* event) {
  if (drag_handle(event)) return true;
  notice_click(event);
  return VtkWidget::event(event);
}

// Emits picked() for a click that is not a drag and not part of a double-click.
void MipView::notice_click(QEvent* event) {
  if (event->type() == QEvent::MouseButtonDblClick) impl_->click.stop();
  const bool press = event->type() == QEvent::MouseButtonPress;
  const bool release = event->type() == QEvent::MouseButtonRelease;
  if (!press && !release) return;
  const auto* mouse = static_cast<QMouseEvent*>(event);
  const QPointF at = mouse->position();
  const bool add = mouse->modifiers() == Qt::ShiftModifier && shows_labels();
  if (mouse->button() != Qt::LeftButton || (mouse->modifiers() != Qt::NoModifier && !add)) {
    impl_->pressed.reset();
  } else if (press) {
    const bool panel = impl_->hud && overlays_.hud_rect().contains(at);
    impl_->pressed = panel ? std::nullopt : std::optional(at);
  } else if (const auto from = std::exchange(impl_->pressed, std::nullopt)) {
    if ((at - *from).manhattanLength() > overlay::kClickWay || height() <= 0) return;
    const double tall = height();
    impl_->click.disconnect(this);
    connect(&impl_->click, &QTimer::timeout, this,
            [this, add, u = (at.x() - 0.5 * width()) / tall, v = (0.5 * tall - at.y()) / tall] {
              pick(u, v, add);
            });
    impl_->click.setSingleShot(true);
    impl_->click.start(QApplication::doubleClickInterval());
  }
}

// True if the handle takes the event.
bool MipView::drag_handle(QEvent* event) {
  const bool pressed = event->type() == QEvent::MouseButtonPress;
  const bool moved = event->type() == QEvent::MouseMove;
  const bool released = event->type() == QEvent::MouseButtonRelease;
  if (!pressed && !moved && !released) return false;
  const auto* mouse = static_cast<QMouseEvent*>(event);
  const QPointF at = mouse->position();
  if (impl_->dragging) {
    if (released && mouse->button() == Qt::LeftButton) impl_->dragging = false;
    if (moved) {
      comparison_.set_reveal(at.x() / std::max(1, width()));
      emit reveal_moved(impl_->reveal);
    }
    return true;
  }
  const bool over = impl_->parted() && !overlays_.hud_rect().contains(at) &&
                    std::abs(at.x() - impl_->reveal * width()) <= overlay::kGrabWay;
  if (moved && mouse->buttons() == Qt::NoButton) {
    // The cursor shows that a press would grab the handle.
    if (over) {
      setCursor(Qt::SplitHCursor);
    } else {
      unsetCursor();
    }
  }
  impl_->dragging = pressed && over && mouse->button() == Qt::LeftButton;
  return impl_->dragging;
}

void MipView::draw_pair() const {
  const ViewTheme& theme = impl_->theme;
  if (impl_->parted()) {
    draw_handle(impl_->reveal, impl_->left_name, impl_->right_name, theme);
  }
  if (impl_->differs()) {
    draw_difference_legend(comparison_.difference_range(), colormap(kDifferenceColors), theme);
  }
  if (const auto paint = paint_.shown()) draw_paint_legend(*paint, theme);
  if (!impl_->caption.isEmpty()) draw_caption(impl_->caption, theme);
  if (!impl_->note.isEmpty() && !impl_->has_picture) draw_note(impl_->note, theme);
}

}  // namespace aprscope
