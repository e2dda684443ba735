#include "app/gui/help/help_canvas.hpp"

#include <QLineF>
#include <QPolygonF>
#include <algorithm>

namespace aprscope::gui {
namespace {

constexpr double kHead = 7.0;  // of an arrow
constexpr double kDark = 0.5;  // lightness of a background from where on a theme is light

}  // namespace

QColor mixed(const QColor& a, const QColor& b, double part) {
  const double t = std::clamp(part, 0.0, 1.0);
  const auto mix = [t](int from, int to) { return from + static_cast<int>(t * (to - from)); };
  return {mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue())};
}

HelpCanvas::HelpCanvas(QPainter& painter, const QPalette& palette, const QFont& font)
    : painter_(painter),
      font_(font),
      base_(palette.color(QPalette::Base)),
      text_(palette.color(QPalette::Text)),
      muted_(mixed(text_, base_, 0.35)),
      line_(mixed(text_, base_, 0.72)),
      accent_(palette.color(QPalette::Highlight)),
      second_(base_.lightnessF() < kDark ? QColor(0xf0, 0xb4, 0x29) : QColor(0xb8, 0x6e, 0x00)) {
  font_.setPointSizeF(std::max(7.5, font.pointSizeF() - 0.5));
  painter_.setRenderHint(QPainter::Antialiasing);
  painter_.setRenderHint(QPainter::SmoothPixmapTransform, false);
}

void HelpCanvas::label(const QRectF& place, const QString& text, const QColor& color, bool bold,
                       Qt::Alignment alignment) {
  QFont font = font_;
  font.setBold(bold);
  painter_.setFont(font);
  painter_.setPen(color);
  painter_.drawText(place, static_cast<int>(alignment) | Qt::TextWordWrap, text);
}

void HelpCanvas::arrow(const QPointF& from, const QPointF& to, const QColor& color) {
  const QLineF along(from, to);
  const QPointF step = (to - from) / std::max(1.0, along.length());
  const QPointF across(-step.y(), step.x());
  const QPointF neck = to - kHead * step;
  painter_.setPen(QPen(color, 1.6, Qt::SolidLine, Qt::RoundCap));
  painter_.drawLine(from, neck);
  painter_.setPen(Qt::NoPen);
  painter_.setBrush(color);
  painter_.drawPolygon(QPolygonF({to, neck + 0.55 * kHead * across, neck - 0.55 * kHead * across}));
  painter_.setBrush(Qt::NoBrush);
}

void HelpCanvas::frame(const QRectF& place) {
  painter_.setPen(QPen(line_, 1.0));
  painter_.setBrush(Qt::NoBrush);
  painter_.drawRect(place);
}

}  // namespace aprscope::gui
