#pragma once

#include <vector>

#include "app/gui/window/main_window.hpp"

namespace aprscope::gui {

/// How long it takes until an edit of a filter is visible, in milliseconds from the event that
/// changes a number in the panel to the frame that shows its effect.
struct PreviewTimes {
  /// Side of the (separable) stencil in pixels.
  int size = 0;
  /// Until the first slice / all three visible slices are painted.
  double first_median = 0.0;
  double first_longest = 0.0;
  double all_median = 0.0;
  double all_longest = 0.0;
};

/// Edits the sigma of a Gaussian of 3³ … 13³ in the filter panel and measures when the slices of
/// the current item show it. Handles events while it waits; the panel keeps the last edit. Empty if
/// no data is shown.
std::vector<PreviewTimes> measure_previews(Document& document, MainWindow& window);

}  // namespace aprscope::gui
