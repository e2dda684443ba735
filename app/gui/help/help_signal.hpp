#pragma once

#include <vector>

namespace aprscope::gui {

/// A line of an image with a dim and a bright structure, its local intensity scale, and particles
/// that keep the bound |I − Î| ≤ E σ: what two pictures of the help page plot. In one dimension,
/// where it can be drawn.
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
