#include "render/slice_box.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "render/overlay_sizes.hpp"
#include "render/slice_view_state.hpp"

namespace aprscope {
namespace {

constexpr double kCornerSize = 8.0;
const QColor kBoxColor(255, 214, 10);
const QColor kBoxAside(255, 214, 10, 110);  // the slice is not in the box
const QColor kBoxEdge(0, 0, 0, 160);
const QColor kOutside(0, 0, 0, 110);

std::int64_t whole_pixel(double v, std::int64_t most) {
  return std::clamp<std::int64_t>(std::llround(std::clamp(v, -1e9, 1e9)), 0, most);
}

// -1 or 1: the nearer of two edges, if it is near enough.
int near_edge(double at, double first, double last) {
  const double to_first = std::abs(at - first);
  const double to_last = std::abs(at - last);
  if (std::min(to_first, to_last) > overlay::kGrabWay) return 0;
  return to_first < to_last ? -1 : 1;
}

Qt::CursorShape cursor_of(const BoxGrip& grip) {
  if (grip.row != 0 && grip.col != 0) {
    return grip.row == grip.col ? Qt::SizeFDiagCursor : Qt::SizeBDiagCursor;
  }
  if (grip.row != 0) return Qt::SizeVerCursor;
  if (grip.col != 0) return Qt::SizeHorCursor;
  return grip.inside ? Qt::SizeAllCursor : Qt::CrossCursor;
}

BoxSpan span_of(const Region& box, Axis axis) {
  return {component(box.begin, axis), component(box.end, axis)};
}

void set_span(Region& box, Axis axis, const BoxSpan& span) {
  component(box.begin, axis) = span.begin;
  component(box.end, axis) = span.end;
}

}  // namespace

QColor box_color() { return kBoxColor; }

BoxGrip box_grip(const QRectF& box, const QRectF& seen, const QPointF& at) {
  BoxGrip grip;
  const double reach = overlay::kGrabWay;
  if (!box.adjusted(-reach, -reach, reach, reach).contains(at)) return grip;
  grip.row = near_edge(at.y(), box.top(), box.bottom());
  grip.col = near_edge(at.x(), box.left(), box.right());
  // Half a pixel of the widget may be lost where positions are computed.
  const bool covers = box.adjusted(-0.5, -0.5, 0.5, 0.5).contains(seen);
  grip.inside = !grip.edge() && !covers && box.contains(at);
  return grip;
}

BoxSpan span_with_edge(const BoxSpan& span, int edge, double to, std::int64_t extent) {
  const std::int64_t moved = whole_pixel(to, extent);
  const std::int64_t fixed = edge < 0 ? span.end : span.begin;
  if (moved != fixed) return {std::min(moved, fixed), std::max(moved, fixed)};
  // At least one pixel is left, on the side that the edge came from, or in the image.
  const bool before = edge < 0 ? fixed > 0 : fixed >= extent;
  return before ? BoxSpan{fixed - 1, fixed} : BoxSpan{fixed, fixed + 1};
}

BoxSpan moved_span(const BoxSpan& span, double way, std::int64_t extent) {
  const std::int64_t by = std::clamp<std::int64_t>(std::llround(std::clamp(way, -1e9, 1e9)),
                                                   -span.begin, extent - span.end);
  return {span.begin + by, span.end + by};
}

BoxSpan drawn_span(double from, double to, std::int64_t extent) {
  const auto pixel = [&](double v) {
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(std::clamp(v, -1e9, 1e9))),
                                    0, extent - 1);
  };
  return {pixel(std::min(from, to)), pixel(std::max(from, to)) + 1};
}

QRectF SliceBox::rect(const SliceTransform& transform, Axis axis) const {
  const auto corner = [&](const Index3& p) {
    return transform.to_widget(static_cast<double>(component(p, row_axis(axis))),
                               static_cast<double>(component(p, col_axis(axis))));
  };
  return region ? QRectF(corner(region->begin), corner(region->end)) : QRectF();
}

QRectF visible_part(const SliceTransform& transform, std::int64_t rows, std::int64_t cols) {
  const QRectF all(transform.to_widget(0, 0),
                   transform.to_widget(static_cast<double>(rows), static_cast<double>(cols)));
  return all & QRectF(QPointF(0, 0), transform.widget());
}

bool SliceView::press_box(const QPointF& position, Qt::KeyboardModifiers keys) {
  if (!impl_->box.region || impl_->content == Impl::Content::nothing) return false;
  // Strokes are drawn over a box.
  if (impl_->brush) return false;
  SliceBox& box = impl_->box;
  box.held = box_grip(box.rect(impl_->transform, impl_->axis),
                      visible_part(impl_->transform, impl_->rows, impl_->cols), position);
  const bool all = box.held.inside && keys.testFlag(Qt::ControlModifier);
  if (box.by_edges && !box.held.edge() && !all) return false;
  box.before = *box.region;
  box.from = impl_->transform.to_plane(position);
  impl_->drag = Impl::Drag::box;
  return true;
}

void SliceView::drag_box(const QPointF& position) {
  if (!impl_->box.region) return;
  const QPointF from = impl_->box.from;
  const QPointF to = impl_->transform.to_plane(position);
  const BoxGrip& grip = impl_->box.held;
  const auto changed = [&](Axis axis, int edge, double a, double b, std::int64_t extent) {
    const BoxSpan span = span_of(impl_->box.before, axis);
    if (grip.edge()) {
      if (edge == 0) return span;
      // The edge keeps its distance from the pointer.
      const auto at = static_cast<double>(edge < 0 ? span.begin : span.end);
      return span_with_edge(span, edge, at + b - a, extent);
    }
    return grip.inside ? moved_span(span, b - a, extent) : drawn_span(a, b, extent);
  };
  const Axis row = row_axis(impl_->axis);
  const Axis col = col_axis(impl_->axis);
  Region box = impl_->box.before;
  set_span(box, row, changed(row, grip.row, from.y(), to.y(), impl_->rows));
  set_span(box, col, changed(col, grip.col, from.x(), to.x(), impl_->cols));
  impl_->box.region = box;
  update();
  emit box_dragged(box);
}

bool SliceView::point_box(const QPointF& position) {
  if (!impl_->box.region || impl_->space_held || impl_->content == Impl::Content::nothing) {
    return false;
  }
  if (impl_->brush) return false;
  const BoxGrip grip = box_grip(impl_->box.rect(impl_->transform, impl_->axis),
                                visible_part(impl_->transform, impl_->rows, impl_->cols), position);
  const bool taken = !impl_->box.by_edges || grip.edge();
  setCursor(cursor_of(taken ? grip : BoxGrip()));
  return taken;
}

void SliceView::Impl::draw_box() {
  const QRectF seen = visible_part(transform, rows, cols);
  const QRectF rect = box.rect(transform, axis);
  const bool inside =
      component(box.region->begin, axis) <= index && index < component(box.region->end, axis);
  const QRectF kept = inside ? rect & seen : QRectF();
  if (kept.isEmpty()) {
    overlay.rect(seen, kOutside);
  } else {
    overlay.rect({seen.topLeft(), QPointF(seen.right(), kept.top())}, kOutside);
    overlay.rect({QPointF(seen.left(), kept.bottom()), seen.bottomRight()}, kOutside);
    overlay.rect({QPointF(seen.left(), kept.top()), kept.bottomLeft()}, kOutside);
    overlay.rect({kept.topRight(), QPointF(seen.right(), kept.bottom())}, kOutside);
  }
  const QColor color = inside ? kBoxColor : kBoxAside;
  overlay.frame(rect.adjusted(-2, -2, 2, 2), 4.0, kBoxEdge);
  overlay.frame(rect.adjusted(-1, -1, 1, 1), 2.0, color);
  for (const QPointF& corner :
       {rect.topLeft(), rect.topRight(), rect.bottomLeft(), rect.bottomRight()}) {
    const QRectF square(corner - QPointF(0.5 * kCornerSize, 0.5 * kCornerSize),
                        QSizeF(kCornerSize, kCornerSize));
    overlay.rect(square.adjusted(-1, -1, 1, 1), kBoxEdge);
    overlay.rect(square, color);
  }
}

}  // namespace aprscope
