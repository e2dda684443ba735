#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"

namespace aprscope::cli {

/// The programs of Slurm that this one calls. Errors: sbatch or squeue is not there.
Status check_slurm();

/// Gives a script to Slurm; returns the number of its job. Its output goes into `log_folder`, a
/// whole path, under `log_name`, in which %A, %a and %j become numbers. `after`: the job that has
/// to end before, in whatever way; empty: none. Errors: those of sbatch; somebody wanted to stop
/// before it had answered, so that a job may be there all the same.
Result<std::string> submit_script(const std::string& script, const std::string& log_folder,
                                  const std::string& log_name, const std::string& after,
                                  const JobContext& context);

/// How many tasks of an array there are of each kind.
struct TaskCounts {
  int pending = 0;
  int running = 0;
  int done = 0;
  int failed = 0;
  [[nodiscard]] bool ended() const { return pending == 0 && running == 0; }
};

/// "3 pending, 2 running, 1 done, 0 failed".
std::string to_text(const TaskCounts& counts);

/// What is known of the tasks of a job. Slurm forgets tasks some minutes after they ended; here
/// they are remembered.
class TaskStates {
 public:
  /// Tasks 1 to `tasks`.
  explicit TaskStates(int tasks) : tasks_(tasks) {}
  /// Takes lines "12_3|RUNNING" of squeue, or of sacct; "12_[4-9%2]|PENDING" are several. Lines of
  /// other jobs and of their steps count for nothing.
  void take(const std::string& job, const std::string& lines);
  /// Slurm knows the job no more: who has not ended as far as is known has failed.
  void forgotten() { forgotten_ = true; }
  [[nodiscard]] TaskCounts counts() const;

 private:
  int tasks_;
  bool forgotten_ = false;
  std::map<int, std::string> states_;
};

/// Asks Slurm about a job: squeue, and once it knows nothing of it sacct, where there is one.
/// Errors: cancelled, Slurm does not answer.
Status look_at(const std::string& job, TaskStates& states, const JobContext& context);

}  // namespace aprscope::cli
