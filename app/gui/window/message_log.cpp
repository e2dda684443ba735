#include "app/gui/window/message_log.hpp"

#include <QPlainTextEdit>
#include <QScreen>
#include <QTime>
#include <QVBoxLayout>
#include <algorithm>

namespace aprscope::gui {
namespace {

constexpr qsizetype kMost = 50;
constexpr int kColumns = 64;
constexpr int kRows = 12;
// Small enough not to make the status bar higher.
constexpr int kMessageIcon = 14;

QString kind_text(MessageKind kind) {
  return kind == MessageKind::error     ? MessageLog::tr("Error: ")
         : kind == MessageKind::warning ? MessageLog::tr("Warning: ")
                                        : QString();
}

}  // namespace

MessageLog::MessageLog(Theme& theme, QWidget* parent) : QToolButton(parent) {
  setObjectName(QStringLiteral("message_log"));
  setIconSize(QSize(kMessageIcon, kMessageIcon));
  setToolTip(tr("The last messages"));
  setAccessibleName(toolTip());
  const auto renew_icon = [this, &theme] { setIcon(theme.icon(QStringLiteral("messages"))); };
  connect(&theme, &Theme::changed, this, renew_icon);
  renew_icon();
  connect(this, &QToolButton::clicked, this, &MessageLog::open);
  hide();
}

void MessageLog::add(MessageKind kind, const QString& text) {
  lines_.prepend(QTime::currentTime().toString(QStringLiteral("HH:mm:ss   ")) + kind_text(kind) +
                 text);
  if (lines_.size() > kMost) lines_.removeLast();
  show();
}

QString MessageLog::text() const { return lines_.join(QStringLiteral("\n\n")); }

void MessageLog::open() {
  auto* popup = new QFrame(this, Qt::Popup);
  popup->setObjectName(QStringLiteral("message_log_popup"));
  popup->setAttribute(Qt::WA_DeleteOnClose);
  auto* layout = new QVBoxLayout(popup);
  layout->setContentsMargins(6, 6, 6, 6);
  auto* list = new QPlainTextEdit(text(), popup);
  list->setReadOnly(true);
  list->setFrameShape(QFrame::NoFrame);
  list->setAccessibleName(toolTip());
  layout->addWidget(list);
  const QRect screen = this->screen()->availableGeometry();
  const QFontMetrics metrics = list->fontMetrics();
  const QSize size(std::min(screen.width(), kColumns * metrics.averageCharWidth() + 30),
                   std::min(screen.height() / 2, kRows * metrics.lineSpacing() + 30));
  popup->resize(size);
  // Above the status bar, with its right end above that of the button.
  QPoint at = mapToGlobal(QPoint(width() - size.width(), -size.height() - 4));
  at.setX(
      std::clamp(at.x(), screen.left(), std::max(screen.left(), screen.right() - size.width())));
  at.setY(std::max(at.y(), screen.top()));
  popup->move(at);
  popup->show();
  list->setFocus();
}

}  // namespace aprscope::gui
