#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "core/base/job_context.hpp"

namespace aprscope {

/// Two lanes of background work, one worker thread each.
enum class Lane {
  /// Short computations for what is on screen. Posting with a key asks the running job of that key
  /// to stop and drops waiting ones of that key: the newest preview wins.
  preview,
  /// Whole-data jobs, one after the other.
  full,
};

/// A job's state, for a list of jobs; a snapshot.
struct JobStatus {
  std::uint64_t id = 0;
  std::string title;
  std::string stage;
  double fraction = 0.0;
  double seconds = 0.0;
  /// Estimate from the fraction done; negative while unknown.
  double seconds_left = -1.0;
  enum class State { waiting, running, finished, cancelled } state = State::waiting;
};

/// Runs jobs on worker threads; knows no user interface. Thread-safe. The destructor asks all jobs
/// to stop and waits for them.
class JobQueue {
 public:
  using Work = std::function<void(const JobContext&)>;
  /// Called from worker threads whenever a job starts, progresses (at most ~30 times a second) or
  /// ends; must be quick.
  using Listener = std::function<void(const JobStatus&)>;

  explicit JobQueue(Listener listener = {});
  ~JobQueue();
  JobQueue(const JobQueue&) = delete;
  JobQueue& operator=(const JobQueue&) = delete;

  /// Returns the job's id. `key` (preview lane): see Lane. An exception from `work` ends the job
  /// and is reported in the job's stage.
  std::uint64_t post(Lane lane, std::string title, Work work, std::string key = {});

  /// Asks a job to stop; a job that still waits is dropped.
  void cancel(std::uint64_t id);
  void cancel_all();

  /// Waits until both lanes are empty (tests and shutdown). False on time-out.
  bool wait_idle(std::chrono::milliseconds timeout);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace aprscope
