#include "app/gui/stall_meter.hpp"

#include <algorithm>

namespace aprscope::gui {
namespace {

constexpr int kTickMs = 2;
constexpr double kStallMs = 50.0;

}  // namespace

StallMeter::StallMeter(QObject* parent) : QObject(parent) {
  timer_.setTimerType(Qt::PreciseTimer);
  connect(&timer_, &QTimer::timeout, this, [this] {
    const double ms = static_cast<double>(since_.nsecsElapsed()) / 1e6;
    since_.restart();
    longest_ = std::max(longest_, ms);
    if (ms > kStallMs) ++stalls_;
  });
  since_.start();
  timer_.start(kTickMs);
}

void StallMeter::reset() {
  longest_ = 0.0;
  stalls_ = 0;
  since_.restart();
}

}  // namespace aprscope::gui
