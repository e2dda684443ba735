#pragma once

namespace aprscope::gui {

/// The remaining time of a job, smoothed so that it only falls. Estimates jump, e.g. when the next
/// stage is slower, and users would take a change from "12 s" to "50 s" for a mistake. A larger
/// estimate is not shown until the time has come down to it; a smaller one is followed slowly, as a
/// single fast moment may be misleading.
class FallingTime {
 public:
  /// `elapsed`: seconds since the job began; `estimate`: estimated seconds left, negative if
  /// unknown. Returns the seconds to show, negative for none.
  double follow(double elapsed, double estimate);

 private:
  double elapsed_ = 0.0;
  double shown_ = -1.0;
};

}  // namespace aprscope::gui
