#pragma once

namespace aprscope::gui {

/// The time that a job has left, as it is shown: it only falls. Estimates jump, when a job's next
/// stage is slower than the last for instance; who reads them wants to know when to come back, and
/// "12 s" that becomes "50 s" is taken for a mistake. An estimate above what was shown is held back
/// until it is true, one below is followed gently, lest one quick moment makes it fall too far.
class FallingTime {
 public:
  /// `elapsed`: seconds since the job began; `estimate`: seconds that it seems to have left,
  /// negative while that is unknown. Returns what to show, negative for nothing yet.
  double follow(double elapsed, double estimate);

 private:
  double elapsed_ = 0.0;
  double shown_ = -1.0;
};

}  // namespace aprscope::gui
