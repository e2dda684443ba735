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

// Independent of Python: threads that compute while Python waits.

namespace aprscope::python {

/// Messages of a job since the last call.
struct JobNews {
  bool progressed = false;
  double fraction = 0.0;
  std::string stage;
  std::vector<IterationReport> iterations;
};

/// A computation in a thread of its own. It owns its data, so the caller need not wait for its end.
class BesideJob {
 public:
  using Work = std::function<void(const JobContext&, BesideJob& self)>;
  explicit BesideJob(Work work) : work_(std::move(work)) {}

  /// Runs the work in the calling thread; keeps an exception for rethrow().
  void run();
  /// Whether the job has ended; waits for that for at most `time`.
  bool wait(std::chrono::milliseconds time);
  void ask_to_stop() { stop_.request_stop(); }
  [[nodiscard]] JobNews news();
  /// Sentences about steps that were computed elsewhere than on the chosen device.
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

/// Runs the job in a waiting thread, or if there is none in a new one. The thread is kept for later
/// jobs, together with the OpenMP threads that its loops have started. Throws std::system_error if
/// no thread can be started.
void start_beside(const std::shared_ptr<BesideJob>& job);

/// At the end of the process: waits until no job runs, but at most this long.
void wait_for_jobs(std::chrono::milliseconds most);

/// Whether this process was forked from one that had loaded the module. Forks have no threads,
/// which the OpenMP library does not notice, so such a process has to compute in a single thread.
bool is_forked();

}  // namespace aprscope::python
