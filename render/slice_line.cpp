// The line in a slice: drawn with the mouse, moved, and written with its length.
#include "render/slice_line.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/image/scale_bar.hpp"
#include "render/overlay_sizes.hpp"
#include "render/slice_view_state.hpp"

namespace aprscope {
namespace {

constexpr double kEndWay = 9.0;      // distance at which a press grabs an end
constexpr double kLineWay = 5.0;     // … or the whole line
constexpr double kLengthWay = 16.0;  // of the text from the middle of the line

const QColor kLineColor(255, 214, 10);
const QColor kLineHalo(0, 0, 0, 160);

double distance(const QPointF& a, const QPointF& b) {
  return std::hypot(a.x() - b.x(), a.y() - b.y());
}

double distance_to_line(const QPointF& at, const QPointF& from, const QPointF& to) {
  const QPointF way = to - from;
  const double squared = QPointF::dotProduct(way, way);
  if (squared <= 0.0) return distance(at, from);
  const double share = std::clamp(QPointF::dotProduct(at - from, way) / squared, 0.0, 1.0);
  return distance(at, from + share * way);
}

// The nearest place to `at` in one of eight directions from `from`.
QPointF in_eight_directions(const QPointF& from, const QPointF& at) {
  const QPointF way = at - from;
  constexpr double kStep = 0.25 * std::numbers::pi;
  const double angle = kStep * std::round(std::atan2(way.y(), way.x()) / kStep);
  const QPointF direction(std::cos(angle), std::sin(angle));
  return from + QPointF::dotProduct(way, direction) * direction;
}

PlanePoint plane_point(const QPointF& at, std::int64_t rows, std::int64_t cols) {
  return {std::clamp(at.y(), 0.0, static_cast<double>(rows)),
          std::clamp(at.x(), 0.0, static_cast<double>(cols))};
}

}  // namespace

LineGrip SliceLine::grip(const SliceTransform& transform, const QPointF& at) const {
  if (!line) return LineGrip::nothing;
  const QPointF from = transform.to_widget(line->from.row, line->from.col);
  const QPointF to = transform.to_widget(line->to.row, line->to.col);
  if (distance(at, to) <= kEndWay) return LineGrip::to;
  if (distance(at, from) <= kEndWay) return LineGrip::from;
  return distance_to_line(at, from, to) <= kLineWay ? LineGrip::whole : LineGrip::nothing;
}

bool SliceView::press_line(const QPointF& position) {
  SliceLine& line = impl_->line;
  // Strokes are drawn over a line.
  if (!line.tool || impl_->brush || impl_->content == Impl::Content::nothing) return false;
  impl_->drag = Impl::Drag::line;
  line.held = line.grip(impl_->transform, position);
  line.pressed = impl_->transform.to_plane(position);
  const PlanePoint at = plane_point(line.pressed, impl_->rows, impl_->cols);
  line.before = line.held == LineGrip::nothing ? PlaneLine{at, at} : *line.line;
  return true;
}

void SliceView::drag_line(const QPointF& position, Qt::KeyboardModifiers keys) {
  PlaneLine line = impl_->line.before;
  if (impl_->line.held == LineGrip::whole) {
    const QPointF way = impl_->transform.to_plane(position) - impl_->line.pressed;
    // As far as both ends stay in the image.
    const auto moved = [](double by, double a, double b, std::int64_t extent) {
      const double least = -std::min(a, b);
      const double most = static_cast<double>(extent) - std::max(a, b);
      // A line of larger data may be longer than the image.
      return least <= most ? std::clamp(by, least, most) : 0.0;
    };
    const double rows = moved(way.y(), line.from.row, line.to.row, impl_->rows);
    const double cols = moved(way.x(), line.from.col, line.to.col, impl_->cols);
    for (PlanePoint* end : {&line.from, &line.to}) {
      end->row += rows;
      end->col += cols;
    }
  } else {
    const bool first = impl_->line.held == LineGrip::from;
    const PlanePoint& fixed = first ? line.to : line.from;
    const QPointF at = keys.testFlag(Qt::ShiftModifier)
                           ? in_eight_directions(to_widget(fixed.row, fixed.col), position)
                           : position;
    (first ? line.from : line.to) =
        plane_point(impl_->transform.to_plane(at), impl_->rows, impl_->cols);
  }
  impl_->line.line = line;
  update();
  emit line_drawn(line);
}

// The cursor shows what a press would grab.
void SliceView::point_line(const QPointF& position) {
  if (!impl_->line.tool || impl_->brush || impl_->space_held) return;
  if (impl_->content == Impl::Content::nothing) return;
  switch (impl_->line.grip(impl_->transform, position)) {
    case LineGrip::from:
    case LineGrip::to:
      return setCursor(Qt::PointingHandCursor);
    case LineGrip::whole:
      return setCursor(Qt::SizeAllCursor);
    case LineGrip::nothing:
      return setCursor(Qt::CrossCursor);
  }
}

void SliceView::Impl::draw_line() {
  const PlaneLine& drawn = *line.line;
  const QPointF from = transform.to_widget(drawn.from.row, drawn.from.col);
  const QPointF to = transform.to_widget(drawn.to.row, drawn.to.col);
  overlay.line(from, to, 4.0, kLineHalo);
  overlay.line(from, to, 2.0, kLineColor);
  for (const QPointF& end : {from, to}) {
    overlay.rect({end.x() - 4.5, end.y() - 4.5, 9, 9}, kLineHalo);
    overlay.rect({end.x() - 3, end.y() - 3, 6, 6}, kLineColor);
  }
  const double on_screen = distance(from, to);
  if (on_screen < 1.0) return;
  // Beside the line, on its upper side.
  QPointF aside(to.y() - from.y(), from.x() - to.x());
  if (aside.y() > 0.0) aside = -aside;
  const double length = std::hypot((drawn.to.row - drawn.from.row) * row_step,
                                   (drawn.to.col - drawn.from.col) * col_step);
  const TextStyle style{kLineColor, theme.text_backdrop, overlay::kTextHeight * theme.text_scale,
                        true};
  overlay.text(QString::fromStdString(format_length(length, voxel.unit)),
               0.5 * (from + to) + kLengthWay / on_screen * aside, Qt::AlignCenter, style);
}

}  // namespace aprscope
