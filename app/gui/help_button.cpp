#include "app/gui/help_button.hpp"

#include <QDockWidget>
#include <QEvent>

namespace aprscope::gui {
namespace {

constexpr int kTitleSide = 22;
constexpr int kTitleTop = 3;
constexpr int kBesideClose = 26;  // the width of the button that closes a dock, and its margin

}  // namespace

HelpButton::HelpButton(QWidget* parent) : QToolButton(parent) {
  setText(QStringLiteral("?"));
  setProperty("help", true);
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
  resize(kTitleSide, kTitleSide);
  move(dock.width() - kBesideClose - kTitleSide, kTitleTop);
  dock.installEventFilter(this);
  show();
}

bool HelpButton::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) {
    const auto* dock = static_cast<QDockWidget*>(watched);
    move(dock->width() - kBesideClose - kTitleSide, kTitleTop);
    raise();
  }
  return QToolButton::eventFilter(watched, event);
}

}  // namespace aprscope::gui
