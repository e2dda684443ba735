#pragma once

#include <optional>
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
  /// Lines side by side, one pixel apart and perpendicular in space, whose mean is taken; at least
  /// 1.
  int width = 1;
  /// Number of samples, both ends included; 0: one a pixel of the line's length and one more.
  int samples = 0;
};

/// Values along a line, linear between the centres of pixels; between the outermost centres and the
/// edge of the image the nearest one counts, and outside of the image there is no value (NaN).
/// Empty for an empty plane; one sample for a line without length.
LineProfile line_profile(const Plane& plane, const PlaneLine& line,
                         const ProfileOptions& options = {});

/// How wide the highest peak of a profile is.
struct PeakWidth {
  /// Halfway between the lowest and the highest value of the profile.
  double level = 0.0;
  /// Where the profile crosses that level before and after its highest value, linear between
  /// samples, in the unit of the distances.
  double begin = 0.0;
  double end = 0.0;
  [[nodiscard]] double width() const { return end - begin; }
};

/// The full width at half maximum of the highest peak, over the lowest value as background; none
/// where the profile does not fall to half on both sides of the peak, or is flat. Samples without a
/// value end the search.
std::optional<PeakWidth> width_at_half_maximum(const LineProfile& profile);

}  // namespace aprscope
