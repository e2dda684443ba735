#include "app/gui/panels/panel_table.hpp"

#include "app/gui/panels/cells_panel.hpp"
#include "app/gui/panels/compare_panel.hpp"
#include "app/gui/panels/convert_panel.hpp"
#include "app/gui/panels/deconvolve_panel.hpp"
#include "app/gui/panels/display_panel.hpp"
#include "app/gui/panels/filter_panel.hpp"
#include "app/gui/panels/measure_panel.hpp"
#include "app/gui/panels/reconstruct_panel.hpp"

namespace aprscope::gui {

std::vector<Panel> panel_table() {
  // The first panel has no preview, so that data is first shown as it was recorded.
  return {display_panel(), convert_panel(), filter_panel(),      deconvolve_panel(),
          measure_panel(), cells_panel(),   reconstruct_panel(), compare_panel()};
}

}  // namespace aprscope::gui
