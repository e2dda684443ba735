#pragma once

#include <stop_token>
#include <thread>

namespace aprscope::cli {

/// Turns Ctrl-C and SIGTERM into a stop request, so that a job ends cleanly and removes what it has
/// half written. Make it before any other thread: threads inherit that these signals are blocked.
class InterruptWatcher {
 public:
  InterruptWatcher();
  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::jthread watcher_;
};

}  // namespace aprscope::cli
