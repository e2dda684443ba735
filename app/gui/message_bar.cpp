#include "app/gui/message_bar.hpp"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QStyle>
#include <QTimer>
#include <QToolButton>
#include <algorithm>
#include <utility>

namespace aprscope::gui {
namespace {

constexpr int kInfoMs = 6000;
constexpr int kWidest = 760;
constexpr int kMargin = 12;

}  // namespace

MessageBar::MessageBar(Theme& theme, QWidget* parent)
    : QFrame(parent),
      label_(new QLabel(this)),
      offer_(new QToolButton(this)),
      close_(new QToolButton(this)),
      timer_(new QTimer(this)) {
  setObjectName(QStringLiteral("message_bar"));
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(12, 8, 6, 8);
  label_->setWordWrap(true);
  label_->setTextFormat(Qt::PlainText);
  label_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  layout->addWidget(label_, 1);
  offer_->setObjectName(QStringLiteral("message_offer"));
  offer_->hide();
  connect(offer_, &QToolButton::clicked, this, [this] {
    hide();
    if (act_) std::exchange(act_, nullptr)();
  });
  layout->addWidget(offer_, 0, Qt::AlignTop);
  close_->setToolTip(tr("Dismiss"));
  close_->setAccessibleName(tr("Dismiss"));
  layout->addWidget(close_, 0, Qt::AlignTop);
  const auto renew_icon = [this, &theme] { close_->setIcon(theme.icon(QStringLiteral("close"))); };
  connect(&theme, &Theme::changed, this, renew_icon);
  renew_icon();
  connect(close_, &QToolButton::clicked, this, &QWidget::hide);
  timer_->setSingleShot(true);
  connect(timer_, &QTimer::timeout, this, &QWidget::hide);
  if (parent != nullptr) parent->installEventFilter(this);
  hide();
}

// In the middle at the top, as wide as its text needs.
void MessageBar::place() {
  const int room = parentWidget()->width() - 2 * kMargin;
  // Margins and buttons.
  const int rest = 70 + (offer_->isHidden() ? 0 : offer_->sizeHint().width() + 12);
  const int text = label_->fontMetrics().horizontalAdvance(label_->text()) + rest;
  const int width = std::min({room, kWidest, std::max(text, 240)});
  setFixedWidth(width);
  const int height = layout()->heightForWidth(width);
  setGeometry((parentWidget()->width() - width) / 2, kMargin, width, height);
  raise();
}

bool MessageBar::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize && !isHidden()) place();
  return QFrame::eventFilter(watched, event);
}

void MessageBar::show_offer(const QString& text, const QString& button, std::function<void()> act) {
  show_message(MessageKind::info, text);
  act_ = std::move(act);
  offer_->setText(button);
  offer_->show();
  place();
}

void MessageBar::show_message(MessageKind kind, const QString& text) {
  act_ = nullptr;
  offer_->hide();
  label_->setText(text);
  setProperty("bar", kind == MessageKind::error     ? "error"
                     : kind == MessageKind::warning ? "warning"
                                                    : "info");
  style()->unpolish(this);
  style()->polish(this);
  style()->polish(label_);
  timer_->stop();
  if (kind == MessageKind::info) timer_->start(kInfoMs);
  place();
  show();
}

QString MessageBar::text() const { return isHidden() ? QString() : label_->text(); }

}  // namespace aprscope::gui
