#include "app/gui/widgets/steady_label.hpp"

#include <QEvent>
#include <algorithm>

namespace aprscope::gui {

SteadyLabel::SteadyLabel(QWidget* parent) : QLabel(parent) {
  setWordWrap(true);
  setAlignment(Qt::AlignLeft | Qt::AlignTop);
}

void SteadyLabel::reserve_lines(int lines) {
  lines_ = lines;
  needed_.clear();
  updateGeometry();
}

void SteadyLabel::reserve_texts(const QStringList& texts) {
  texts_ = texts;
  needed_.clear();
  updateGeometry();
}

int SteadyLabel::reserved(int width) const {
  // Adds the margins that the style sheet has around the text.
  const QMargins around = contentsMargins();
  const int sides = around.left() + around.right() + 2 * margin();
  const int ends = around.top() + around.bottom() + 2 * margin();
  int height = lines_ * fontMetrics().lineSpacing();
  for (const QString& text : texts_) {
    const QRect room(0, 0, std::max(1, width - sides), QWIDGETSIZE_MAX);
    height = std::max(height, fontMetrics().boundingRect(room, Qt::TextWordWrap, text).height());
  }
  return height + ends;
}

int SteadyLabel::heightForWidth(int width) const {
  // The number of widths to remember: layouts try many while a window is resized.
  constexpr qsizetype kWidths = 64;
  if (needed_.size() > kWidths) needed_.clear();
  int& needed = needed_[width];
  if (needed == 0) needed = reserved(width);
  needed = std::max(needed, QLabel::heightForWidth(width));
  return needed;
}

QSize SteadyLabel::minimumSizeHint() const {
  return {QLabel::minimumSizeHint().width(), heightForWidth(std::max(width(), 1))};
}

void SteadyLabel::changeEvent(QEvent* event) {
  QLabel::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
    needed_.clear();
    updateGeometry();
  }
}

}  // namespace aprscope::gui
