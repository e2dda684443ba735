#pragma once

#include <optional>
#include <string>

#include "app/gui/widgets/display_settings.hpp"

namespace aprscope::gui {

/// Names of display modes in files: "pixel", "constant", "smooth", "level", "dots".
std::string show_mode_name(ShowMode mode);
std::optional<ShowMode> show_mode_from(const std::string& name);

}  // namespace aprscope::gui
