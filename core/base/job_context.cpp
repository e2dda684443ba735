#include "core/base/job_context.hpp"

#include <algorithm>
#include <utility>

namespace aprscope {

JobContext::JobContext(std::stop_token stop, Sink sink)
    : stop_(std::move(stop)), sink_(std::move(sink)) {}

void JobContext::report(double fraction, std::string_view stage) const {
  if (sink_) sink_(from_ + (to_ - from_) * std::clamp(fraction, 0.0, 1.0), stage);
}

JobContext JobContext::part(double from, double to) const {
  JobContext inner = *this;
  inner.from_ = from_ + (to_ - from_) * from;
  inner.to_ = from_ + (to_ - from_) * to;
  return inner;
}

}  // namespace aprscope
