#pragma once

#include <atomic>
#include <stop_token>
#include <thread>

#include "core/base/result.hpp"

namespace aprscope::cli {

/// Turns Ctrl-C and SIGTERM into a stop request, so that a job ends cleanly and removes its
/// unfinished files. If the job has not ended after 0.25 s (it may wait for a disk), or at a second
/// signal, the whole process ends; temporary files are removed and programs that it started are
/// ended even then. Construct it before any other thread, since threads inherit the signal mask
/// that blocks these signals.
class InterruptWatcher {
 public:
  /// `on_term`: the reason to report after a SIGTERM.
  explicit InterruptWatcher(Error on_term = cancelled_error());
  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

  /// The reason to stop: `on_term` if the first signal was SIGTERM, else cancelled_error().
  [[nodiscard]] Error reason() const { return terminated_ ? on_term_ : cancelled_error(); }

  /// The job may take its time after the first signal; the second ends it.
  void be_patient() { patient_ = true; }
  /// Another process reports how the job ended; this one ends without a message. Does not return if
  /// the process is already ending and has reported that.
  void be_quiet();
  /// The job has ended and reports how. From now on only a second signal ends the process, and
  /// without a message. Does not return if the process is already ending.
  void settle();

 private:
  [[noreturn]] void end_process();

  const Error on_term_;
  std::stop_source source_;
  std::atomic<bool> terminated_ = false;
  std::atomic<bool> patient_ = false;
  std::atomic<bool> quiet_ = false;
  std::atomic<bool> settled_ = false;
  std::jthread watcher_;
};

}  // namespace aprscope::cli
