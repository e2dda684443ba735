#pragma once

#include <atomic>
#include <stop_token>
#include <thread>

#include "core/base/result.hpp"

namespace aprscope::cli {

/// Turns Ctrl-C and SIGTERM into a stop request, so that a job ends cleanly and removes what it has
/// half written. A job that has not ended 0.25 s later (it may wait for a disk) ends with the whole
/// process, as any does with the second signal: temporary files are removed and programs that were
/// started are ended all the same. Make it before any other thread: threads inherit that these
/// signals are blocked.
class InterruptWatcher {
 public:
  /// `on_term`: what SIGTERM means here.
  explicit InterruptWatcher(Error on_term = cancelled_error());
  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

  /// Why the job shall stop: `on_term` where the first signal was SIGTERM, else cancelled_error().
  [[nodiscard]] Error reason() const { return terminated_ ? on_term_ : cancelled_error(); }

  /// The job takes its time after the first signal, and ends with the second.
  void be_patient() { patient_ = true; }
  /// Another process says how the job ended: this one ends without a word. Does not return where
  /// the process is already ending, which has been said.
  void be_quiet();
  /// The job has ended, and says how itself: nothing but a second signal ends the process from now
  /// on, without a word. Does not return where the process is already ending.
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
