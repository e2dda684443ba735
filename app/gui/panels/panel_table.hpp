#pragma once

#include <vector>

#include "app/gui/panels/panel.hpp"

namespace aprscope::gui {

/// All panels in the order of their tabs, in the language of the program. The first one is open in
/// a new window.
std::vector<Panel> panel_table();

}  // namespace aprscope::gui
