#include "app/gui/window/plain_labels.hpp"

#include <QApplication>
#include <QEvent>
#include <QLabel>

namespace aprscope::gui {
namespace {

class PlainLabels : public QObject {
 public:
  using QObject::QObject;

  // Qt polishes a label once, before it is shown for the first time.
  bool eventFilter(QObject* object, QEvent* event) override {
    if (event->type() == QEvent::Polish) {
      auto* label = qobject_cast<QLabel*>(object);
      if (label != nullptr && label->textFormat() == Qt::AutoText) {
        label->setTextFormat(Qt::PlainText);
      }
    }
    return false;
  }
};

}  // namespace

void keep_labels_plain() {
  static const char* const kName = "plain_labels";
  if (qApp->findChild<QObject*>(QLatin1String(kName), Qt::FindDirectChildrenOnly) != nullptr)
    return;
  auto* filter = new PlainLabels(qApp);
  filter->setObjectName(QLatin1String(kName));
  qApp->installEventFilter(filter);
}

}  // namespace aprscope::gui
