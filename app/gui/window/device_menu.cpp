#include "app/gui/window/device_menu.hpp"

#include <QActionGroup>
#include <QMenu>

#include "app/gui/document/document.hpp"
#include "app/gui/widgets/settings.hpp"
#include "core/base/system.hpp"
#include "gpu/engines/devices.hpp"

namespace aprscope::gui {

void add_device_menu(QMenu& menu, Document& document) {
  auto* devices = menu.addMenu(QObject::tr("Compute &on"));
  devices->setObjectName(QStringLiteral("device_menu"));
  auto* group = new QActionGroup(devices);
  const auto add = [&](const QString& text, const std::string& id) {
    auto* action = devices->addAction(text);
    action->setObjectName(QStringLiteral("device_") + QString::fromStdString(id));
    action->setCheckable(true);
    action->setChecked(document.backend().id() == id);
    group->addAction(action);
    QObject::connect(action, &QAction::triggered, &document, [&document, group, id] {
      if (document.backend().id() == id) return;
      auto backend = select_backend(id);
      if (backend) {
        document.set_backend(*std::move(backend));
        return;
      }
      document.messages().say(backend.error());
      for (QAction* other : group->actions()) {
        other->setChecked(other->objectName() ==
                          QStringLiteral("device_") +
                              QString::fromStdString(document.backend().id()));
      }
    });
  };
  add(QString::fromStdString(cpu_backend()->name()), "cpu");
  const GpuInventory inventory = gpu_inventory();
  for (const GpuDevice& gpu : inventory.devices) {
    add(QObject::tr("%1 (%2)").arg(QString::fromStdString(gpu.name),
                                   QString::fromStdString(format_bytes(gpu.memory_bytes))),
        "cuda:" + std::to_string(gpu.index));
  }
  if (inventory.devices.empty()) {
    auto* none =
        devices->addAction(QObject::tr("No GPU: %1").arg(QString::fromStdString(inventory.reason)));
    none->setEnabled(false);
  }
}

void say_why_not_the_gpu(Document& document, const std::string& reason) {
  if (reason.empty()) return;
  document.messages().say(
      MessageKind::warning,
      QObject::tr("Computing on the processor: %1").arg(QString::fromStdString(reason)));
}

void say_that_there_is_no_gpu(Document& document) {
  const QString reason = QString::fromStdString(gpu_inventory().reason);
  const auto settings = open_settings();
  const QString key = QStringLiteral("device/said_reason");
  if (reason.isEmpty() || settings->value(key).toString() == reason) return;
  settings->setValue(key, reason);
  document.messages().say(MessageKind::info,
                          QObject::tr("Computing on the processor: %1.").arg(reason));
}

}  // namespace aprscope::gui
