#include "app/gui/window/help_button.hpp"

#include <QDockWidget>
#include <QEvent>

namespace aprscope::gui {
namespace {

constexpr int kTitleSide = 18;
constexpr int kGap = 3;

}  // namespace

HelpButton::HelpButton(QWidget* parent) : QToolButton(parent) {
  setText(QStringLiteral("?"));
  setProperty("help", "corner");
  setAutoRaise(true);
  setFocusPolicy(Qt::StrongFocus);
  connect(this, &QToolButton::clicked, this, [this] { emit asked(section_); });
}

void HelpButton::set_place(const QString& section, const QString& name) {
  section_ = section;
  setToolTip(tr("What is this? (%1)").arg(name));
  setAccessibleName(tr("What is %1?").arg(name));
}

void HelpButton::stand_in_title(QDockWidget& dock) {
  setParent(&dock);
  setProperty("help", "title");
  setFixedSize(kTitleSide, kTitleSide);
  beside_ = dock.findChild<QWidget*>(QStringLiteral("qt_dockwidget_closebutton"),
                                     Qt::FindDirectChildrenOnly);
  (beside_ != nullptr ? beside_ : &dock)->installEventFilter(this);
  place();
  show();
}

void HelpButton::place() {
  const QWidget* const dock = parentWidget();
  if (beside_ == nullptr) {
    move(dock->width() - kTitleSide - kGap, kGap);
  } else {
    const QRect close = beside_->geometry();
    move(close.left() - kTitleSide - kGap, close.center().y() + 1 - kTitleSide / 2);
  }
  raise();
}

bool HelpButton::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize || event->type() == QEvent::Move) place();
  return QToolButton::eventFilter(watched, event);
}

}  // namespace aprscope::gui
