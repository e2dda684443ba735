#include "app/gui/window/tour_frames.hpp"

#include <QPainter>
#include <QPolygonF>
#include <algorithm>

namespace aprscope::gui {
namespace {

constexpr double kLine = 3.0;
constexpr double kRound = 8.0;
constexpr int kWedge = 11;

}  // namespace

TourFrames::TourFrames(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("tour_frames"));
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setAttribute(Qt::WA_NoSystemBackground);
  setFocusPolicy(Qt::NoFocus);
}

void TourFrames::set_places(const QList<QRect>& places, const QRect& callout) {
  if (places == places_ && callout == callout_) return;
  places_ = places;
  callout_ = callout;
  update();
}

void TourFrames::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QColor accent = palette().color(QPalette::Highlight);
  QColor glow = accent;
  glow.setAlpha(70);
  for (const QRect& place : places_) {
    // Inside of the window, even if the target reaches the window's border.
    const QRectF frame = QRectF(place.intersected(rect())).adjusted(kLine, kLine, -kLine, -kLine);
    painter.setPen(QPen(glow, 2.5 * kLine));
    painter.drawRoundedRect(frame, kRound, kRound);
    painter.setPen(QPen(accent, kLine));
    painter.drawRoundedRect(frame, kRound, kRound);
  }
  if (places_.isEmpty() || places_.front().intersects(callout_)) return;
  // A wedge from the callout towards its target.
  const QRect& to = places_.front();
  const auto between = [](int at, int low, int high) {
    return std::max(low, std::min(at, std::max(low, high)));
  };
  const int x =
      between(to.center().x(), callout_.left() + 2 * kWedge, callout_.right() - 2 * kWedge);
  const int y =
      between(to.center().y(), callout_.top() + 2 * kWedge, callout_.bottom() - 2 * kWedge);
  QPolygonF wedge;
  if (to.left() > callout_.right()) {
    const double edge = callout_.right();
    wedge << QPointF(edge, y - kWedge) << QPointF(edge, y + kWedge) << QPointF(edge + kWedge, y);
  } else if (to.right() < callout_.left()) {
    const double edge = callout_.left() + 1;
    wedge << QPointF(edge, y - kWedge) << QPointF(edge, y + kWedge) << QPointF(edge - kWedge, y);
  } else if (to.top() > callout_.bottom()) {
    const double edge = callout_.bottom();
    wedge << QPointF(x - kWedge, edge) << QPointF(x + kWedge, edge) << QPointF(x, edge + kWedge);
  } else {
    const double edge = callout_.top() + 1;
    wedge << QPointF(x - kWedge, edge) << QPointF(x + kWedge, edge) << QPointF(x, edge - kWedge);
  }
  painter.setPen(Qt::NoPen);
  painter.setBrush(accent);
  painter.drawPolygon(wedge);
}

}  // namespace aprscope::gui
