#pragma once

#include <vector>

#include "core/image/volume.hpp"

namespace aprscope {

/// A place in a slice in fractional pixels: (0.5, 0.5) is the centre of the first pixel.
struct PlanePoint {
  double row = 0.0;
  double col = 0.0;
  friend bool operator==(const PlanePoint&, const PlanePoint&) = default;
};

/// A straight line in a slice.
struct PlaneLine {
  PlanePoint from;
  PlanePoint to;
  friend bool operator==(const PlaneLine&, const PlaneLine&) = default;
};

/// Values along a line.
struct LineProfile {
  /// Distance of each sample from the beginning of the line, in the unit of the steps.
  std::vector<double> distance;
  std::vector<double> values;
};

/// How the profile of a line is taken.
struct ProfileOptions {
  /// Distance of the plane's rows and columns, in the unit of the result.
  double row_step = 1.0;
  double col_step = 1.0;
  /// Lines side by side, one pixel apart, whose mean is taken; at least 1.
  int width = 1;
  /// Number of samples, both ends included; 0: one a pixel of the line's length and one more.
  int samples = 0;
};

/// Values along a line, linear between the centres of pixels; between the outermost centres and the
/// edge of the image the nearest one counts, and outside of the image there is no value (NaN).
/// Empty for an empty plane; one sample for a line without length.
LineProfile line_profile(const Plane& plane, const PlaneLine& line,
                         const ProfileOptions& options = {});

}  // namespace aprscope
