// Two slices in one view with a handle between them.
#include <algorithm>
#include <cmath>
#include <utility>

#include "render/overlay_sizes.hpp"
#include "render/shortened.hpp"
#include "render/slice_view_state.hpp"

namespace aprscope {
namespace {

constexpr double kNames = 72.0;  // distance from the top, below captions

const QColor kHalo(0, 0, 0, 160);

}  // namespace

bool SliceView::press_compare(const QPointF& position) {
  if (impl_->parted() && std::abs(position.x() - impl_->reveal * width()) <= overlay::kGrabWay) {
    impl_->drag = Impl::Drag::reveal;
    setCursor(Qt::SplitHCursor);
    return true;
  }
  return false;
}

void SliceView::drag_compare(const QPointF& position) {
  comparison_.set_reveal(position.x() / std::max(1, width()));
  emit reveal_moved(impl_->reveal);
}

// The cursor shows what a press would grab.
bool SliceView::point_compare(const QPointF& position) {
  if (!impl_->parted() || impl_->space_held) return false;
  const bool over = std::abs(position.x() - impl_->reveal * width()) <= overlay::kGrabWay;
  setCursor(over ? Qt::SplitHCursor : Qt::CrossCursor);
  return over;
}

void SliceView::Impl::part_images() {
  if (!parted()) {
    image.set_clip(std::nullopt);
    second_image.set_visible(false);
    return;
  }
  const double at = transform.to_plane({reveal * transform.widget().width(), 0.0}).x() * col_step;
  image.set_clip(at, ImageQuad::Side::left);
  second_image.set_clip(at, ImageQuad::Side::right);
}

void SliceView::Impl::draw_reveal(QSize widget) {
  const double x = reveal * widget.width();
  const double middle = 0.5 * widget.height();
  overlay.rect({x - 2, 0, 4, static_cast<double>(widget.height())}, kHalo);
  overlay.rect({x - 1, 0, 2, static_cast<double>(widget.height())}, Qt::white);
  const QRectF grip(x - 0.5 * overlay::kHandleWidth, middle - 0.5 * overlay::kHandleHeight,
                    overlay::kHandleWidth, overlay::kHandleHeight);
  overlay.rect(grip.adjusted(-1, -1, 1, 1), kHalo);
  overlay.rect(grip, Qt::white);
  const TextStyle arrows{QColor(30, 30, 30), Qt::transparent, 13.0, false};
  overlay.text(QStringLiteral("◂ ▸"), grip.center(), Qt::AlignCenter, arrows);
  if (!captions_visible || widget.height() < 160) return;
  const TextStyle name{theme.text, theme.text_backdrop, overlay::kTextHeight * theme.text_scale,
                       true};
  const auto fitting = [](const QString& text, double room) {
    constexpr double kLetter = 7.5;  // approximate width
    return shortened(text, room - 30,
                     [](const QString& t) { return kLetter * static_cast<double>(t.size()); });
  };
  if (const QString text = fitting(left_name, x); !text.isEmpty()) {
    overlay.text(text, {x - 12, kNames}, Qt::AlignRight | Qt::AlignTop, name);
  }
  if (const QString text = fitting(right_name, widget.width() - x); !text.isEmpty()) {
    overlay.text(text, {x + 12, kNames}, Qt::AlignLeft | Qt::AlignTop, name);
  }
}

}  // namespace aprscope
