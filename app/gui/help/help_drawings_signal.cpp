// Pictures of a line of an image: the band of the error bound, and the scale that it is relative
// to.
#include <QObject>
#include <QPolygonF>
#include <algorithm>
#include <vector>

#include "app/gui/help/help_drawings.hpp"
#include "app/gui/help/help_signal.hpp"

namespace aprscope::gui {
namespace {

// Draws values of a line in a rectangle.
class Plot {
 public:
  Plot(const QRectF& place, double low, double high, std::size_t count)
      : place_(place), low_(low), high_(high), count_(static_cast<double>(count)) {}

  [[nodiscard]] double x(double i) const { return place_.left() + i / count_ * place_.width(); }
  [[nodiscard]] double y(double v) const {
    return place_.bottom() - (v - low_) / (high_ - low_) * place_.height();
  }
  /// The curve of values; each is at the middle of its pixel.
  [[nodiscard]] QPolygonF curve(const std::vector<double>& values) const {
    QPolygonF points;
    for (std::size_t i = 0; i < values.size(); ++i) {
      points << QPointF(x(static_cast<double>(i) + 0.5), y(values[i]));
    }
    return points;
  }

 private:
  QRectF place_;
  double low_;
  double high_;
  double count_;
};

std::vector<double> shifted(const HelpSignal& signal, double part) {
  std::vector<double> out = signal.intensity;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] += part * signal.scale[i];
  return out;
}

void draw_curve(HelpCanvas& canvas, const QPolygonF& curve, const QColor& color, double width,
                Qt::PenStyle style = Qt::SolidLine) {
  canvas.painter().setPen(QPen(color, width, style, Qt::RoundCap, Qt::RoundJoin));
  canvas.painter().setBrush(Qt::NoBrush);
  canvas.painter().drawPolyline(curve);
}

// Draws an entry of a legend: a short stroke and its text. Returns the left end of the next one.
double key(HelpCanvas& canvas, double left, double top, const QColor& color, double width,
           const QString& text) {
  QPainter& painter = canvas.painter();
  painter.setPen(QPen(color, width, Qt::SolidLine, Qt::FlatCap));
  painter.drawLine(QPointF(left, top + 9), QPointF(left + 20, top + 9));
  const QRectF place(left + 27, top, kHelpWidth - left - 27, 18);
  canvas.label(place, text, canvas.muted(), false, Qt::AlignLeft | Qt::AlignVCenter);
  return place.left() + painter.fontMetrics().horizontalAdvance(text) + 26;
}

}  // namespace

void draw_bound_picture(HelpCanvas& canvas) {
  const HelpSignal signal = make_help_signal();
  const QRectF area(1, 30, kHelpWidth - 2, 196);
  const Plot plot(area, 0.0, 900.0, signal.intensity.size());
  QPainter& painter = canvas.painter();
  // Marks the borders of particles: cells are narrow at edges.
  painter.setPen(QPen(mixed(canvas.line(), canvas.base(), 0.45), 1.0));
  for (const HelpSignal::Cell& cell : signal.cells) {
    painter.drawLine(QPointF(plot.x(cell.begin), area.top()),
                     QPointF(plot.x(cell.begin), area.bottom()));
  }
  QPolygonF band = plot.curve(shifted(signal, signal.bound));
  const QPolygonF below = plot.curve(shifted(signal, -signal.bound));
  for (auto it = below.rbegin(); it != below.rend(); ++it) band << *it;
  QColor fill = canvas.accent();
  fill.setAlphaF(0.28F);
  painter.setPen(Qt::NoPen);
  painter.setBrush(fill);
  painter.drawPolygon(band);
  draw_curve(canvas, plot.curve(signal.intensity), canvas.text(), 1.4);
  QPolygonF steps;
  for (const HelpSignal::Cell& cell : signal.cells) {
    steps << QPointF(plot.x(cell.begin), plot.y(cell.value))
          << QPointF(plot.x(cell.begin + cell.side), plot.y(cell.value));
  }
  draw_curve(canvas, steps, canvas.second(), 2.0);
  painter.setPen(Qt::NoPen);
  painter.setBrush(canvas.second());
  for (const HelpSignal::Cell& cell : signal.cells) {
    painter.drawEllipse(QPointF(plot.x(cell.begin + cell.side / 2.0), area.bottom() + 14),
                        std::min(7.0, 1.2 + 0.5 * cell.side), std::min(7.0, 1.2 + 0.5 * cell.side));
  }
  painter.setBrush(Qt::NoBrush);
  canvas.frame(area);
  double left = 2;
  left = key(canvas, left, 5, canvas.text(), 1.6, QObject::tr("the signal I"));
  left = key(canvas, left, 5, fill, 12.0, QObject::tr("I ± E · σ, here E = %1").arg(signal.bound));
  key(canvas, left, 5, canvas.second(), 2.4,
      QObject::tr("%1 particles for %2 pixels, Î")
          .arg(signal.cells.size())
          .arg(signal.intensity.size()));
}

void draw_scale_picture(HelpCanvas& canvas) {
  const HelpSignal signal = make_help_signal();
  const QRectF above(1, 28, kHelpWidth - 2, 92);
  const QRectF under(1, 138, kHelpWidth - 2, 92);
  QPainter& painter = canvas.painter();
  const Plot intensity(above, 0.0, 860.0, signal.intensity.size());
  draw_curve(canvas, intensity.curve(signal.intensity), canvas.text(), 1.6);
  canvas.frame(above);
  const Plot scale(under, 0.0, 700.0, signal.scale.size());
  QPolygonF filled = scale.curve(signal.scale);
  filled << QPointF(filled.last().x(), under.bottom())
         << QPointF(filled.first().x(), under.bottom());
  QColor fill = canvas.accent();
  fill.setAlphaF(0.25F);
  painter.setPen(Qt::NoPen);
  painter.setBrush(fill);
  painter.drawPolygon(filled);
  draw_curve(canvas, scale.curve(signal.scale), canvas.accent(), 2.0);
  const double floor = scale.y(signal.least_scale);
  draw_curve(canvas, {QPointF(under.left(), floor), QPointF(under.right(), floor)}, canvas.second(),
             1.3, Qt::DashLine);
  canvas.frame(under);
  double left = 2;
  left = key(canvas, left, 4, canvas.text(), 1.6, QObject::tr("a dim and a bright structure"));
  left = key(canvas, left, 4, canvas.accent(), 2.4, QObject::tr("local intensity scale σ"));
  key(canvas, left, 4, canvas.second(), 2.0, QObject::tr("scale threshold"));
}

}  // namespace aprscope::gui
