#include "app/gui/panel_table.hpp"

#include "app/gui/cells_panel.hpp"
#include "app/gui/compare_panel.hpp"
#include "app/gui/convert_panel.hpp"
#include "app/gui/deconvolve_panel.hpp"
#include "app/gui/display_panel.hpp"
#include "app/gui/filter_panel.hpp"
#include "app/gui/measure_panel.hpp"
#include "app/gui/reconstruct_panel.hpp"

namespace aprscope::gui {

std::vector<Panel> panel_table() {
  // The first one previews nothing: data is first shown as it was recorded.
  return {display_panel(), convert_panel(), filter_panel(),      deconvolve_panel(),
          measure_panel(), cells_panel(),   reconstruct_panel(), compare_panel()};
}

}  // namespace aprscope::gui
