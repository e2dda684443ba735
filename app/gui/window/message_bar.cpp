#include "app/gui/window/message_bar.hpp"

#include <QEvent>
#include <QHBoxLayout>
#include <QStyle>
#include <QTimer>
#include <QToolButton>
#include <algorithm>
#include <utility>

#include "app/gui/widgets/short_text.hpp"

namespace aprscope::gui {
namespace {

constexpr int kInfoMs = 6000;
constexpr int kOfferMs = 12000;
constexpr int kWarningMs = 30000;
constexpr int kErrorMs = 60000;
// An error is shown for at least this long, even if a job succeeds meanwhile.
constexpr int kLeastMs = 10000;
constexpr int kAgainMs = 1500;

}  // namespace

MessageBar::MessageBar(Theme& theme, QWidget* parent)
    : QFrame(parent),
      label_(new ShortText(this)),
      offer_(new QToolButton(this)),
      close_(new QToolButton(this)),
      timer_(new QTimer(this)) {
  setObjectName(QStringLiteral("message_bar"));
  // A long message is wrapped and does not make the window wider.
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(12, 3, 5, 3);
  layout->addWidget(label_, 1);
  offer_->setObjectName(QStringLiteral("message_offer"));
  offer_->hide();
  connect(offer_, &QToolButton::clicked, this, [this] {
    hide();
    if (act_) std::exchange(act_, nullptr)();
  });
  layout->addWidget(offer_);
  close_->setObjectName(QStringLiteral("message_close"));
  close_->setToolTip(tr("Dismiss"));
  close_->setAccessibleName(tr("Dismiss"));
  layout->addWidget(close_);
  const auto renew_icon = [this, &theme] { close_->setIcon(theme.icon(QStringLiteral("close"))); };
  connect(&theme, &Theme::changed, this, renew_icon);
  renew_icon();
  connect(close_, &QToolButton::clicked, this, &QWidget::hide);
  timer_->setSingleShot(true);
  connect(timer_, &QTimer::timeout, this, [this] {
    if (underMouse()) {
      timer_->start(kAgainMs);
    } else {
      hide();
    }
  });
  hide();
}

bool MessageBar::event(QEvent* event) {
  if (event->type() == QEvent::ShowToParent) emit occupied(true);
  if (event->type() == QEvent::HideToParent) emit occupied(false);
  return QFrame::event(event);
}

void MessageBar::leave_in(int milliseconds) {
  timer_->start(static_cast<int>(pace_ * milliseconds));
}

void MessageBar::show_offer(const QString& text, const QString& button, std::function<void()> act) {
  show_message(MessageKind::info, text);
  act_ = std::move(act);
  offer_->setText(button);
  offer_->show();
  leave_in(kOfferMs);
}

void MessageBar::show_message(MessageKind kind, const QString& text) {
  act_ = nullptr;
  offer_->hide();
  label_->set_text(text);
  setProperty("bar", kind == MessageKind::error     ? "error"
                     : kind == MessageKind::warning ? "warning"
                                                    : "info");
  style()->unpolish(this);
  style()->polish(this);
  style()->polish(label_);
  lasting_ = kind != MessageKind::info;
  shown_.start();
  leave_in(kind == MessageKind::error     ? kErrorMs
           : kind == MessageKind::warning ? kWarningMs
                                          : kInfoMs);
  show();
  emit said(kind, text);
}

void MessageBar::succeeded() {
  if (!lasting_ || isHidden()) return;
  const auto rest = static_cast<int>(kLeastMs * pace_ - static_cast<double>(shown_.elapsed()));
  if (timer_->remainingTime() > rest) timer_->start(std::max(0, rest));
}

QString MessageBar::text() const { return isHidden() ? QString() : label_->text(); }

}  // namespace aprscope::gui
