#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "render/overlay_sizes.hpp"
#include "render/slice_view_state.hpp"

namespace aprscope {
namespace {

constexpr int kWheelNotch = 120;
constexpr double kZoomNotch = 1.25;
// More than there are: steps end at the first and the last one.
constexpr std::int64_t kAllSlices = std::int64_t{1} << 40;

}  // namespace

void SliceView::drag_crosshair(const QPointF& position) {
  if (impl_->content == Impl::Content::nothing) return;
  const Index3 p = impl_->voxel_of(impl_->transform.to_plane(position));
  if (p == impl_->crosshair) return;
  impl_->crosshair = p;
  update();
  emit crosshair_moved(p);
}

// The pointer jumps between events; the voxels between its positions belong to the stroke, too.
void SliceView::draw_stroke(const QPointF& position) {
  if (impl_->content == Impl::Content::nothing) return;
  const Index3 to = impl_->voxel_of(impl_->transform.to_plane(position));
  const Index3 from = impl_->stroke.empty() ? to : impl_->stroke.back();
  const std::int64_t steps =
      std::max({std::abs(to.z - from.z), std::abs(to.x - from.x), std::abs(to.y - from.y)});
  const auto between = [&](std::int64_t a, std::int64_t b, std::int64_t k) {
    return a + std::llround(static_cast<double>((b - a) * k) / static_cast<double>(steps));
  };
  if (impl_->stroke.empty()) impl_->stroke.push_back(to);
  for (std::int64_t k = 1; k <= steps; ++k) {
    impl_->stroke.push_back(
        {between(from.z, to.z, k), between(from.x, to.x, k), between(from.y, to.y, k)});
  }
}

// A new slice or new values are under the pointer although it has not moved.
void SliceView::hover_again() {
  if (!impl_->hovering || impl_->content == Impl::Content::nothing) return;
  if (const std::optional<Index3> under = voxel_at(impl_->last_mouse)) emit hovered(*under);
}

void SliceView::request_slice(std::int64_t index) {
  const std::int64_t count = plane_count(impl_->size, impl_->axis);
  if (count <= 0) return;
  const std::int64_t to = std::clamp<std::int64_t>(index, 0, count - 1);
  if (to == impl_->wanted_index.value_or(impl_->index)) return;
  impl_->wanted_index = to;
  emit slice_requested(to);
}

// Moves by some slices, of the finer image where there is one.
void SliceView::step_slices(std::int64_t by) {
  const std::int64_t here = impl_->wanted_index.value_or(impl_->index);
  if (!impl_->fine.any()) return request_slice(here + by);
  const std::int64_t from = fine_slice(impl_->fine, here, impl_->fine_last);
  const std::int64_t to = stepped(impl_->fine, from, by);
  if (to == from) return;
  impl_->fine_last = to;
  const std::int64_t slice = to / impl_->fine.in_slice;
  if (slice != here) return request_slice(slice);
  update();
  emit fine_stepped();
}

// The cursor shows what a press would grab.
void SliceView::point(const QPointF& position) {
  if (point_compare(position) || point_box(position)) return;
  point_line(position);
}

void SliceView::mousePressEvent(QMouseEvent* event) {
  setFocus(Qt::MouseFocusReason);
  impl_->last_mouse = event->position();
  impl_->crosshair_before.reset();
  impl_->pressed.reset();
  const bool pan = event->button() == Qt::MiddleButton || event->button() == Qt::RightButton ||
                   (event->button() == Qt::LeftButton && impl_->space_held);
  if (pan) {
    impl_->drag = Impl::Drag::pan;
    setCursor(Qt::ClosedHandCursor);
  } else if (event->button() == Qt::LeftButton && press_compare(event->position())) {
    // The handle.
  } else if (event->button() == Qt::LeftButton &&
             (press_box(event->position(), event->modifiers()) || press_line(event->position()))) {
    // It may become a click.
    impl_->pressed = event->position();
    impl_->crosshair_before = impl_->crosshair;
  } else if (event->button() == Qt::LeftButton) {
    impl_->drag = impl_->brush ? Impl::Drag::brush : Impl::Drag::crosshair;
    impl_->stroke.clear();
    if (impl_->brush) draw_stroke(event->position());
    impl_->pressed = event->position();
    impl_->crosshair_before = impl_->crosshair;
    if (!impl_->brush) drag_crosshair(event->position());
  }
  event->accept();
}

void SliceView::mouseMoveEvent(QMouseEvent* event) {
  if (impl_->pressed &&
      (event->position() - *impl_->pressed).manhattanLength() > overlay::kClickWay) {
    impl_->pressed.reset();
  }
  switch (impl_->drag) {
    case Impl::Drag::pan:
      impl_->transform.pan(event->position() - impl_->last_mouse);
      update();
      emit camera_changed(navigation_.camera());
      break;
    case Impl::Drag::crosshair:
      drag_crosshair(event->position());
      break;
    case Impl::Drag::brush:
      draw_stroke(event->position());
      break;
    case Impl::Drag::reveal:
      drag_compare(event->position());
      break;
    case Impl::Drag::line:
      if (!impl_->pressed) drag_line(event->position(), event->modifiers());
      break;
    case Impl::Drag::box:
      if (!impl_->pressed) drag_box(event->position());
      break;
    case Impl::Drag::none:
      point(event->position());
      break;
  }
  impl_->last_mouse = event->position();
  const std::optional<Index3> under =
      impl_->content == Impl::Content::nothing ? std::nullopt : voxel_at(event->position());
  if (under) {
    impl_->hovering = true;
    emit hovered(*under);
  } else if (impl_->hovering) {
    impl_->hovering = false;
    emit hover_left();
  }
  event->accept();
}

void SliceView::mouseReleaseEvent(QMouseEvent* event) {
  const auto pressed = std::exchange(impl_->pressed, std::nullopt);
  const auto voxel =
      pressed && impl_->content != Impl::Content::nothing ? voxel_at(*pressed) : std::nullopt;
  const bool drawn = impl_->drag == Impl::Drag::brush && !pressed;
  const bool clicked_shape = impl_->drag == Impl::Drag::box || impl_->drag == Impl::Drag::line;
  if (clicked_shape && pressed && !impl_->brush) drag_crosshair(*pressed);
  impl_->drag = Impl::Drag::none;
  setCursor(impl_->space_held ? Qt::OpenHandCursor : Qt::CrossCursor);
  point(event->position());
  event->accept();
  if (voxel) emit clicked(*voxel);
  const std::vector<Index3> voxels = std::exchange(impl_->stroke, {});
  if (drawn && !voxels.empty()) emit stroke(voxels);
}

void SliceView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return mousePressEvent(event);
  event->accept();
  // This is a double-click, so the crosshair that its first click moved goes back.
  if (impl_->drag != Impl::Drag::crosshair && impl_->crosshair_before) {
    const Index3 back = *std::exchange(impl_->crosshair_before, std::nullopt);
    if (back != impl_->crosshair) {
      impl_->crosshair = back;
      update();
      emit crosshair_moved(back);
    }
  }
  emit maximise_requested();
}

void SliceView::wheelEvent(QWheelEvent* event) {
  event->accept();
  const int delta = event->angleDelta().y();
  if (event->modifiers().testFlag(Qt::ControlModifier)) {
    navigation_.zoom_at(std::pow(kZoomNotch, static_cast<double>(delta) / kWheelNotch),
                        event->position());
    return;
  }
  // Touch pads send fractions of a wheel notch, so these are added up.
  impl_->wheel_rest += delta;
  const int notches = impl_->wheel_rest / kWheelNotch;
  impl_->wheel_rest -= notches * kWheelNotch;
  if (notches != 0) step_slices(-notches);
}

void SliceView::keyPressEvent(QKeyEvent* event) {
  const std::int64_t step = event->modifiers().testFlag(Qt::ShiftModifier) ? 10 : 1;
  const auto move = [&](Axis axis, std::int64_t by) {
    if (impl_->content == Impl::Content::nothing) return;
    Index3 p = impl_->crosshair;
    component(p, axis) += by;
    p = impl_->inside(p);
    if (p == impl_->crosshair) return;
    impl_->crosshair = p;
    update();
    emit crosshair_moved(p);
  };
  const QPointF middle = rect().toRectF().center();
  switch (event->key()) {
    case Qt::Key_PageUp:
      return step_slices(-step);
    case Qt::Key_PageDown:
      return step_slices(step);
    case Qt::Key_Home:
      return step_slices(-kAllSlices);
    case Qt::Key_End:
      return step_slices(kAllSlices);
    case Qt::Key_Left:
      return move(col_axis(impl_->axis), -step);
    case Qt::Key_Right:
      return move(col_axis(impl_->axis), step);
    case Qt::Key_Up:
      return move(row_axis(impl_->axis), -step);
    case Qt::Key_Down:
      return move(row_axis(impl_->axis), step);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      return navigation_.zoom_at(kZoomNotch, middle);
    case Qt::Key_Minus:
      return navigation_.zoom_at(1.0 / kZoomNotch, middle);
    case Qt::Key_F:
      return navigation_.fit();
    case Qt::Key_Space:
      if (!event->isAutoRepeat()) {
        impl_->space_held = true;
        setCursor(Qt::OpenHandCursor);
      }
      return;
    default:
      VtkWidget::keyPressEvent(event);
  }
}

void SliceView::keyReleaseEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Space) return VtkWidget::keyReleaseEvent(event);
  if (event->isAutoRepeat()) return;
  impl_->space_held = false;
  if (impl_->drag != Impl::Drag::pan) {
    setCursor(Qt::CrossCursor);
    point(impl_->last_mouse);
  }
}

void SliceView::leaveEvent(QEvent* event) {
  VtkWidget::leaveEvent(event);
  if (impl_->hovering) emit hover_left();
  impl_->hovering = false;
}

}  // namespace aprscope
