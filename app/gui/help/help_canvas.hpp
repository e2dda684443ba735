#pragma once

#include <QColor>
#include <QFont>
#include <QPainter>
#include <QPalette>
#include <QRectF>
#include <QString>

namespace aprscope::gui {

/// Draws the pictures of the help page: simple shapes in the colours of the theme. Lengths are
/// logical pixels.
class HelpCanvas {
 public:
  HelpCanvas(QPainter& painter, const QPalette& palette, const QFont& font);

  [[nodiscard]] QPainter& painter() { return painter_; }
  [[nodiscard]] const QColor& base() const { return base_; }
  [[nodiscard]] const QColor& text() const { return text_; }
  [[nodiscard]] const QColor& muted() const { return muted_; }
  [[nodiscard]] const QColor& line() const { return line_; }
  [[nodiscard]] const QColor& accent() const { return accent_; }
  /// A second accent colour, for another object of the same kind.
  [[nodiscard]] const QColor& second() const { return second_; }

  /// Draws text in a rectangle, with line breaks if needed.
  void label(const QRectF& place, const QString& text, const QColor& color, bool bold = false,
             Qt::Alignment alignment = Qt::AlignHCenter | Qt::AlignTop);
  void arrow(const QPointF& from, const QPointF& to, const QColor& color);
  void frame(const QRectF& place);

 private:
  QPainter& painter_;
  QFont font_;
  QColor base_, text_, muted_, line_, accent_, second_;
};

/// A mixture of two colours: `a` for part 0, `b` for part 1.
QColor mixed(const QColor& a, const QColor& b, double part);

}  // namespace aprscope::gui
