#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace aprscope {

/// ln of the radial amplitude against the squared spatial frequency (Guinier plot) and a straight
/// line through a range of it: slope = B/4, B in Å², negative where amplitudes fall (Rosenthal &
/// Henderson 2003).
struct Guinier {
  /// Squared frequency of each shell in 1/Å²; shell 0 first.
  std::vector<double> squared_frequency;
  /// NaN where a shell is empty.
  std::vector<double> log_amplitude;
  /// Å of the range that the line was fitted to, coarse first, and how many shells that are.
  double from = 0.0;
  double to = 0.0;
  std::int64_t shells = 0;
  /// The fitted line; none: fewer than three shells.
  struct Line {
    double intercept = 0.0;
    double slope = 0.0;
    /// Pearson's, of points and line.
    double correlation = 0.0;
    [[nodiscard]] double b_factor() const { return 4.0 * slope; }
  };
  std::optional<Line> line;
};

/// The Guinier plot of the mean amplitude of each shell (see radial_amplitude()) of a map of `side`
/// voxels of `voxel` Å, fitted between resolutions `from` and `to` (Å, from > to).
Guinier guinier(std::span<const double> amplitude, std::int64_t side, double voxel, double from,
                double to);

}  // namespace aprscope
