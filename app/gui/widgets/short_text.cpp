#include "app/gui/widgets/short_text.hpp"

#include <QPainter>
#include <QTextLayout>
#include <algorithm>

namespace aprscope::gui {
namespace {

constexpr int kLeastRoom = 40;

}  // namespace

ShortText::ShortText(QWidget* parent) : QLabel(parent) {
  setTextFormat(Qt::PlainText);
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void ShortText::set_text(const QString& text) {
  setText(text);
  setAccessibleName(text);
  update_tool_tip();
}

QSize ShortText::sizeHint() const {
  return {fontMetrics().horizontalAdvance(text()), fontMetrics().lineSpacing()};
}

QSize ShortText::minimumSizeHint() const { return {kLeastRoom, fontMetrics().lineSpacing()}; }

QStringList ShortText::lines() const {
  const QRect room = contentsRect();
  const int most = std::max(1, room.height() / fontMetrics().lineSpacing());
  QString whole = text();
  whole.replace(QLatin1Char('\n'), QChar::LineSeparator);
  QTextLayout layout(whole, font());
  QTextOption option;
  option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  layout.setTextOption(option);
  QStringList out;
  layout.beginLayout();
  while (true) {
    QTextLine line = layout.createLine();
    if (!line.isValid()) break;
    line.setLineWidth(std::max(1, room.width()));
    if (out.size() + 1 == most) {
      QString rest = whole.mid(line.textStart());
      rest.replace(QChar::LineSeparator, QLatin1Char(' '));
      out << fontMetrics().elidedText(rest, Qt::ElideRight, room.width());
      break;
    }
    QString part = whole.mid(line.textStart(), line.textLength());
    out << part.remove(QChar::LineSeparator);
  }
  layout.endLayout();
  return out;
}

bool ShortText::complete() const {
  const QStringList shown = lines();
  return shown.isEmpty() || !shown.back().endsWith(QChar(0x2026)) || text().endsWith(QChar(0x2026));
}

void ShortText::update_tool_tip() { setToolTip(complete() ? QString() : text()); }

void ShortText::resizeEvent(QResizeEvent* event) {
  QLabel::resizeEvent(event);
  update_tool_tip();
}

void ShortText::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setPen(palette().color(foregroundRole()));
  painter.drawText(contentsRect(), Qt::AlignLeft | Qt::AlignVCenter,
                   lines().join(QLatin1Char('\n')));
}

}  // namespace aprscope::gui
