#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/operations/engine/iteration_report.hpp"

// Nothing of Python: what computes while Python waits.

namespace aprscope::python {

/// What a job has said since it was last asked.
struct JobNews {
  bool progressed = false;
  double fraction = 0.0;
  std::string stage;
  std::vector<IterationReport> iterations;
};

/// A computation in a thread of its own. Whoever waits for it may leave: it owns what it works on.
class BesideJob {
 public:
  using Work = std::function<void(const JobContext&, BesideJob& self)>;
  explicit BesideJob(Work work) : work_(std::move(work)) {}

  /// Does the work in the calling thread; what it throws is kept for rethrow().
  void run();
  /// Whether it has ended, after at most this time.
  bool wait(std::chrono::milliseconds time);
  void ask_to_stop() { stop_.request_stop(); }
  [[nodiscard]] JobNews news();
  /// What happened elsewhere than it was asked for, in sentences.
  [[nodiscard]] std::vector<std::string> moves();
  void rethrow() const;
  void add(const IterationReport& report);

 private:
  Work work_;
  std::stop_source stop_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool done_ = false;
  std::exception_ptr thrown_;
  JobNews news_;
  std::vector<std::string> moves_;
};

/// Has a thread run the job: one that waits for work, else a new one. The thread is kept, and with
/// it the team of threads that its loops have started. Throws std::system_error where none can be
/// started.
void start_beside(const std::shared_ptr<BesideJob>& job);

/// Waits until nothing runs any more, at most this time: for the end of the process.
void wait_for_jobs(std::chrono::milliseconds most);

/// Whether this process was forked off one that had the module already. Threads are not forked, and
/// the OpenMP library does not know: such a process computes in one thread.
bool is_forked();

}  // namespace aprscope::python
