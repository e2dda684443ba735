#include "app/gui/widgets/falling_time.hpp"

#include <algorithm>
#include <cmath>

namespace aprscope::gui {
namespace {

// Seconds from the start of a job during which estimates are too uncertain to show.
constexpr double kFirst = 1.0;
// Seconds in which the shown time follows most of a fall.
constexpr double kGently = 2.0;

}  // namespace

double FallingTime::follow(double elapsed, double estimate) {
  if (!(estimate >= 0.0) || elapsed < kFirst) return shown_;
  const double passed = std::max(0.0, elapsed - elapsed_);
  elapsed_ = elapsed;
  if (shown_ < 0.0) {
    shown_ = estimate;
  } else if (estimate < shown_) {
    shown_ -= (shown_ - estimate) * (1.0 - std::exp(-passed / kGently));
  }
  return shown_;
}

}  // namespace aprscope::gui
