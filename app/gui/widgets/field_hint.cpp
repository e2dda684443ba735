#include "app/gui/widgets/field_hint.hpp"

#include <QEvent>
#include <QTimer>
#include <algorithm>

namespace aprscope::gui {
namespace {

constexpr int kPassingMs = 5000;
constexpr int kWidest = 300;
constexpr int kGap = 3;

}  // namespace

FieldHint::FieldHint(QWidget& window) : QLabel(&window), timer_(new QTimer(this)) {
  setObjectName(QStringLiteral("field_hint"));
  setProperty("hint", true);
  setTextFormat(Qt::PlainText);
  setWordWrap(true);
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setFocusPolicy(Qt::NoFocus);
  timer_->setSingleShot(true);
  timer_->setInterval(kPassingMs);
  connect(timer_, &QTimer::timeout, this, &QWidget::hide);
  hide();
}

FieldHint* FieldHint::of(const QWidget& field) {
  return field.window()->findChild<FieldHint*>(QString(), Qt::FindDirectChildrenOnly);
}

void FieldHint::show_for(QWidget& field, const QString& text, bool passing, const QRect& at) {
  if (!field.isVisible()) return;
  FieldHint* hint = of(field);
  if (hint == nullptr) hint = new FieldHint(*field.window());
  if (hint->field_ != &field) {
    if (hint->field_) hint->field_->removeEventFilter(hint);
    hint->field_ = &field;
    field.installEventFilter(hint);
  }
  hint->setText(text);
  hint->timer_->stop();
  if (passing) hint->timer_->start();
  hint->place(field, at.isNull() ? field.rect() : at);
  hint->show();
  hint->raise();
}

void FieldHint::hide_for(const QWidget& field) {
  FieldHint* hint = of(field);
  if (hint != nullptr && hint->field_ == &field) hint->hide();
}

QString FieldHint::text_for(const QWidget& field) {
  const FieldHint* hint = of(field);
  return hint != nullptr && hint->field_ == &field && hint->isVisible() ? hint->text() : QString();
}

// Places the hint below the field, or above it at the lower end of the window.
void FieldHint::place(QWidget& field, const QRect& at) {
  const QWidget& window = *parentWidget();
  setFixedWidth(std::min(kWidest, window.width()));
  setFixedHeight(heightForWidth(width()));
  const QPoint below = field.mapTo(&window, at.bottomLeft()) + QPoint(0, kGap);
  const QPoint above = field.mapTo(&window, at.topLeft()) - QPoint(0, height() + kGap);
  const int x = std::clamp(below.x(), 0, std::max(0, window.width() - width()));
  move(x, below.y() + height() <= window.height() ? below.y() : std::max(0, above.y()));
}

bool FieldHint::eventFilter(QObject* watched, QEvent* event) {
  if (watched == field_ && event->type() == QEvent::Hide) hide();
  return QLabel::eventFilter(watched, event);
}

}  // namespace aprscope::gui
