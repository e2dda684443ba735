#include "app/gui/message_bar.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QStyle>
#include <QTimer>
#include <QToolButton>

namespace aprscope::gui {
namespace {

constexpr int kInfoMs = 6000;

}  // namespace

MessageBar::MessageBar(Theme& theme, QWidget* parent)
    : QFrame(parent),
      label_(new QLabel(this)),
      close_(new QToolButton(this)),
      timer_(new QTimer(this)) {
  setObjectName(QStringLiteral("message_bar"));
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(12, 5, 6, 5);
  label_->setWordWrap(true);
  label_->setTextFormat(Qt::PlainText);
  label_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  layout->addWidget(label_, 1);
  close_->setToolTip(tr("Dismiss"));
  close_->setAccessibleName(tr("Dismiss"));
  layout->addWidget(close_, 0, Qt::AlignTop);
  const auto renew_icon = [this, &theme] { close_->setIcon(theme.icon(QStringLiteral("close"))); };
  connect(&theme, &Theme::changed, this, renew_icon);
  renew_icon();
  connect(close_, &QToolButton::clicked, this, &QWidget::hide);
  timer_->setSingleShot(true);
  connect(timer_, &QTimer::timeout, this, &QWidget::hide);
  hide();
}

void MessageBar::show_message(MessageKind kind, const QString& text) {
  label_->setText(text);
  setProperty("bar", kind == MessageKind::error     ? "error"
                     : kind == MessageKind::warning ? "warning"
                                                    : "info");
  style()->unpolish(this);
  style()->polish(this);
  style()->polish(label_);
  timer_->stop();
  if (kind == MessageKind::info) timer_->start(kInfoMs);
  show();
}

QString MessageBar::text() const { return isHidden() ? QString() : label_->text(); }

}  // namespace aprscope::gui
