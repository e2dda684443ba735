#include "app/gui/document/device_text.hpp"

#include <QObject>
#include <QStringList>

namespace aprscope::gui {

QString moved_text(const std::vector<StepCost>& costs) {
  QStringList sentences;
  for (const StepCost& cost : costs) {
    if (!cost.moved) continue;
    const OperationSchema* schema = find_schema(cost.operation);
    const std::string& name = schema != nullptr ? schema->label : cost.operation;
    const QString text =
        QObject::tr("%1 was %2")
            .arg(QString::fromStdString(name), QString::fromStdString(sentence(*cost.moved)));
    if (!sentences.contains(text)) sentences << text;
  }
  return sentences.join(QLatin1Char('\n'));
}

QString moved_suffix(const std::vector<StepCost>& costs) {
  for (const StepCost& cost : costs) {
    if (!cost.moved) continue;
    return QObject::tr(" [%1 instead of %2]")
        .arg(QString::fromStdString(cost.moved->device), QString::fromStdString(cost.moved->asked));
  }
  return {};
}

QString moved_caption(const DeviceMove& move) {
  return QObject::tr(" · %1 instead of %2")
      .arg(QString::fromStdString(move.device), QString::fromStdString(move.asked));
}

}  // namespace aprscope::gui
