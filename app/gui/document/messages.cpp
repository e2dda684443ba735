#include "app/gui/document/messages.hpp"

#include "app/gui/document/device_text.hpp"

namespace aprscope::gui {

void Messages::say(const Error& error) {
  if (!error.cancelled()) say(MessageKind::error, QString::fromStdString(error.message()));
}

void Messages::say_moves(const std::vector<StepCost>& costs) {
  const QString text = moved_text(costs);
  if (!text.isEmpty()) say(MessageKind::warning, text);
}

}  // namespace aprscope::gui
