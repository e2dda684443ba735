#pragma once

#include <vector>

namespace aprscope::gui {

/// Data for two pictures of the help page: a line of an image with a dim and a bright structure,
/// its local intensity scale, and particles that keep the bound |I − Î| ≤ E σ. In one dimension, so
/// that it can be plotted.
struct HelpSignal {
  /// A particle in a cell [begin, begin + side).
  struct Cell {
    int begin = 0;
    int side = 1;
    double value = 0.0;
  };

  std::vector<double> intensity;
  /// At least `least_scale`.
  std::vector<double> scale;
  std::vector<Cell> cells;
  double bound = 0.0;
  double least_scale = 0.0;
};

HelpSignal make_help_signal();

}  // namespace aprscope::gui
