#include "app/gui/widgets/threshold_line.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include <qcustomplot.h>

namespace aprscope::gui {
namespace {

constexpr double kGrip = 6.0;   // distance in pixels, to each side
constexpr double kClick = 4.0;  // a press that moves by less is a click

// The stop before (or after) `at`; `at` itself if there is none.
double next_of(const std::vector<double>& stops, double at, bool forward) {
  if (forward) {
    const auto after = std::upper_bound(stops.begin(), stops.end(), at);
    return after != stops.end() ? *after : at;
  }
  const auto here = std::lower_bound(stops.begin(), stops.end(), at);
  return here != stops.begin() ? *(here - 1) : at;
}

}  // namespace

ThresholdLine::ThresholdLine(QCustomPlot& plot) : QObject(&plot), plot_(plot) {
  plot.installEventFilter(this);
}

void ThresholdLine::set_stops(std::vector<double> values, std::vector<double> marks) {
  values_ = std::move(values);
  marks_ = std::move(marks);
  std::sort(marks_.begin(), marks_.end());
}

void ThresholdLine::set_at(std::optional<double> at) {
  if (at == at_) return;
  at_ = at;
  if (at_ && line_ != nullptr) {
    line_->point1->setCoords(*at_, 1.0);
    line_->point2->setCoords(*at_, 2.0);
    plot_.replot(QCustomPlot::rpQueuedReplot);
    return;
  }
  if (line_ != nullptr) {
    plot_.removeItem(line_);
    line_ = nullptr;
  }
  draw();
  if (!at_) let_go();
  plot_.setFocusPolicy(at_ ? Qt::StrongFocus : Qt::NoFocus);
  plot_.replot(QCustomPlot::rpQueuedReplot);
}

void ThresholdLine::set_color(const QColor& color) { color_ = color; }

void ThresholdLine::draw() {
  line_ = nullptr;
  if (!at_) return;
  line_ = new QCPItemStraightLine(&plot_);
  line_->setPen(QPen(color_, 2.0));
  line_->point1->setCoords(*at_, 1.0);
  line_->point2->setCoords(*at_, 2.0);
}

bool ThresholdLine::eventFilter(QObject* watched, QEvent* event) {
  if (watched != &plot_ || !at_) return false;
  switch (event->type()) {
    case QEvent::MouseButtonPress:
      return press(*static_cast<QMouseEvent*>(event));
    case QEvent::MouseMove:
      return drag(*static_cast<QMouseEvent*>(event));
    case QEvent::MouseButtonRelease:
      return release(*static_cast<QMouseEvent*>(event));
    case QEvent::MouseButtonDblClick:
      take_back_click();
      return false;
    case QEvent::KeyPress:
      return key(*static_cast<QKeyEvent*>(event));
    default:
      return false;
  }
}

bool ThresholdLine::is_near(double pixel) const {
  return at_ && std::abs(plot_.xAxis->coordToPixel(*at_) - pixel) <= kGrip;
}

void ThresholdLine::let_go() {
  dragging_ = false;
  pressed_.reset();
  before_click_.reset();
  plot_.unsetCursor();
}

// Handles a press. If true, the plot must not handle it, i.e. not move.
bool ThresholdLine::press(const QMouseEvent& event) {
  if (event.button() != Qt::LeftButton) return false;
  plot_.setFocus();
  pressed_ = event.position().x();
  way_ = 0.0;
  dragging_ = is_near(*pressed_);
  return dragging_;
}

bool ThresholdLine::drag(const QMouseEvent& event) {
  const double pixel = event.position().x();
  if (event.buttons() == Qt::NoButton) {
    plot_.setCursor(is_near(pixel) ? Qt::SplitHCursor : Qt::ArrowCursor);
    return false;
  }
  if (!pressed_) return false;
  way_ = std::max(way_, std::abs(pixel - *pressed_));
  if (dragging_) move_to(nearest_stop(pixel, false));
  return dragging_;
}

bool ThresholdLine::release(const QMouseEvent& event) {
  if (event.button() != Qt::LeftButton || !pressed_) return false;
  const double pixel = event.position().x();
  const bool clicked = std::max(way_, std::abs(pixel - *pressed_)) < kClick;
  pressed_.reset();
  before_click_ = at_;
  if (clicked && plot_.axisRect()->rect().contains(event.position().toPoint())) {
    move_to(nearest_stop(pixel, true));
  }
  return std::exchange(dragging_, false);
}

// The click was the first half of a double click, which shows the whole curve: undoes it.
void ThresholdLine::take_back_click() {
  const auto before = std::exchange(before_click_, std::nullopt);
  if (before) move_to(*before);
}

bool ThresholdLine::key(const QKeyEvent& event) {
  if (event.key() != Qt::Key_Left && event.key() != Qt::Key_Right) return false;
  const bool to_marks = (event.modifiers() & Qt::ShiftModifier) != 0;
  move_to(next_of(to_marks ? marks_ : values_, *at_, event.key() == Qt::Key_Right));
  return true;
}

void ThresholdLine::move_to(double value) {
  if (at_ == value) return;
  set_at(value);
  emit moved(value);
}

double ThresholdLine::nearest_stop(double pixel, bool marks_attract) const {
  const auto way = [&](double value) { return std::abs(plot_.xAxis->coordToPixel(value) - pixel); };
  const auto nearer = [&](double a, double b) { return way(a) < way(b); };
  if (marks_attract && !marks_.empty()) {
    const double mark = *std::min_element(marks_.begin(), marks_.end(), nearer);
    if (way(mark) <= kGrip) return mark;
  }
  const double x = plot_.xAxis->pixelToCoord(pixel);
  const auto after = std::lower_bound(values_.begin(), values_.end(), x);
  if (values_.empty()) return x;
  if (after == values_.end()) return values_.back();
  if (after == values_.begin()) return *after;
  return std::min(*(after - 1), *after, nearer);
}

}  // namespace aprscope::gui
