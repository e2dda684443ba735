#include "app/gui/widgets/tool_tips.hpp"

#include <QApplication>
#include <QEvent>
#include <QLabel>
#include <QScreen>
#include <algorithm>

namespace aprscope::gui {
namespace {

constexpr int kCharacters = 60;
/// Distance from the pointer to a tip that is placed above it.
constexpr int kAbove = 34;

class NarrowToolTips : public QObject {
 public:
  using QObject::QObject;

  // Qt sets the size of a tip before it is shown, and again when it is reused.
  bool eventFilter(QObject* object, QEvent* event) override {
    if (event->type() == QEvent::Resize && object->inherits("QTipLabel")) {
      if (auto* tip = qobject_cast<QLabel*>(object)) narrow(*tip);
    }
    return false;
  }

 private:
  static void narrow(QLabel& tip) {
    const QFontMetrics metrics = tip.fontMetrics();
    const int most = kCharacters * metrics.averageCharWidth();
    const QMargins around = tip.contentsMargins();
    const QSize rest(around.left() + around.right() + 2 * tip.margin() + 1,
                     around.top() + around.bottom() + 2 * tip.margin() + 1);
    if (tip.textFormat() != Qt::PlainText || tip.width() - rest.width() <= most) return;
    // A long path without spaces cannot be wrapped, so it may be wider than `most`.
    const QRect room(0, 0, most, QWIDGETSIZE_MAX);
    const QSize text = metrics.boundingRect(room, Qt::TextWordWrap, tip.text()).size();
    const QSize wanted = text + rest;
    if (wanted == tip.size()) return;
    tip.setWordWrap(true);
    tip.resize(wanted);
    keep_on_screen(tip);
  }

  // Moves the tip back onto the screen, as Qt has placed it with another size.
  static void keep_on_screen(QLabel& tip) {
    const QRect screen = tip.screen()->availableGeometry();
    QPoint at = tip.pos();
    at.setX(
        std::clamp(at.x(), screen.left(), std::max(screen.left(), screen.right() - tip.width())));
    if (at.y() + tip.height() > screen.bottom()) {
      at.setY(std::max(screen.top(), at.y() - tip.height() - kAbove));
    }
    if (at != tip.pos()) tip.move(at);
  }
};

}  // namespace

void keep_tool_tips_narrow() {
  static const char* const kName = "narrow_tool_tips";
  if (qApp->findChild<QObject*>(QLatin1String(kName), Qt::FindDirectChildrenOnly) != nullptr)
    return;
  auto* filter = new NarrowToolTips(qApp);
  filter->setObjectName(QLatin1String(kName));
  qApp->installEventFilter(filter);
}

}  // namespace aprscope::gui
