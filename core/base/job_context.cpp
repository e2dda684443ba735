#include "core/base/job_context.hpp"

#include <algorithm>
#include <utility>

namespace aprscope {

std::string sentence(const DeviceMove& move) {
  const std::string text =
      "computed on " + move.device + " instead of " + move.asked + ": " + move.reason;
  return text.ends_with('.') ? text : text + ".";
}

JobContext::JobContext(std::stop_token stop, Sink sink)
    : stop_(std::move(stop)), sink_(std::move(sink)) {}

void JobContext::report(double fraction, std::string_view stage) const {
  if (sink_) sink_(from_ + (to_ - from_) * std::clamp(fraction, 0.0, 1.0), stage);
}

void JobContext::moved(const DeviceMove& move) const {
  if (move_sink_) move_sink_(move);
}

JobContext JobContext::listening(MoveSink sink) const {
  JobContext inner = *this;
  inner.move_sink_ = [first = std::move(sink), then = move_sink_](const DeviceMove& move) {
    first(move);
    if (then) then(move);
  };
  return inner;
}

JobContext JobContext::part(double from, double to) const {
  JobContext inner = *this;
  inner.from_ = from_ + (to_ - from_) * from;
  inner.to_ = from_ + (to_ - from_) * to;
  return inner;
}

}  // namespace aprscope
