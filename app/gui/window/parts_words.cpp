#include "app/gui/window/parts_words.hpp"

#include <QCoreApplication>

namespace aprscope::gui {

QString all_parts_words(int channels, int times) {
  const auto words = [](const char* text) {
    return QCoreApplication::translate("aprscope::gui::all_parts_words", text);
  };
  if (times == 1) return words("all %1 channels").arg(channels);
  if (channels == 1) return words("all %1 time points").arg(times);
  return words("all %1 channels and %2 time points").arg(channels).arg(times);
}

}  // namespace aprscope::gui
