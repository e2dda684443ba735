#include "app/gui/widgets/show_mode_names.hpp"

#include <array>

namespace aprscope::gui {
namespace {

// Names in the order of ShowMode.
constexpr std::array<const char*, 5> kNames{"pixel", "constant", "smooth", "level", "dots"};

}  // namespace

std::string show_mode_name(ShowMode mode) { return kNames[static_cast<std::size_t>(mode)]; }

std::optional<ShowMode> show_mode_from(const std::string& name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (name == kNames[i]) return static_cast<ShowMode>(i);
  }
  return std::nullopt;
}

}  // namespace aprscope::gui
