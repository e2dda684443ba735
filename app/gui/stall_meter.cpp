#include "app/gui/stall_meter.hpp"

#include <algorithm>
#include <ctime>

namespace aprscope::gui {
namespace {

constexpr int kTickMs = 2;
constexpr double kStallMs = 50.0;

double computed_ms() {
  timespec now{};
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0) return 0.0;
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

}  // namespace

StallMeter::StallMeter(QObject* parent) : QObject(parent) {
  timer_.setTimerType(Qt::PreciseTimer);
  connect(&timer_, &QTimer::timeout, this, [this] {
    const double ms = static_cast<double>(since_.nsecsElapsed()) / 1e6;
    since_.restart();
    longest_ = std::max(longest_, ms);
    const double computed = computed_ms();
    longest_computing_ = std::max(longest_computing_, computed - computed_);
    computed_ = computed;
    if (ms > kStallMs) ++stalls_;
  });
  computed_ = computed_ms();
  since_.start();
  timer_.start(kTickMs);
}

}  // namespace aprscope::gui
