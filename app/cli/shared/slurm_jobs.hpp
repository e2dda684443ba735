#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"

namespace aprscope::cli {

/// Checks that Slurm's programs exist. Errors: sbatch or squeue is missing.
Status check_slurm();

/// Submits a script to Slurm and returns the number of its job. The job's output goes to the folder
/// `log_folder`, an absolute path, as `log_name`, in which %A, %a and %j become numbers. `after`: a
/// job that has to end first, successfully or not; empty: none. Errors: those of sbatch; cancelled
/// before sbatch answered, in which case the job may exist nevertheless.
Result<std::string> submit_script(const std::string& script, const std::string& log_folder,
                                  const std::string& log_name, const std::string& after,
                                  const JobContext& context);

/// The number of tasks of an array in each state.
struct TaskCounts {
  int pending = 0;
  int running = 0;
  int done = 0;
  int failed = 0;
  [[nodiscard]] bool ended() const { return pending == 0 && running == 0; }
};

/// "3 pending, 2 running, 1 done, 0 failed".
std::string to_text(const TaskCounts& counts);

/// The states of a job's tasks. Slurm forgets tasks some minutes after their end; this object
/// remembers them.
class TaskStates {
 public:
  /// `tasks`: the number of tasks, which are numbered from 1.
  explicit TaskStates(int tasks) : tasks_(tasks) {}
  /// Takes lines of squeue or sacct, such as "12_3|RUNNING", or "12_[4-9%2]|PENDING" for several
  /// tasks. Lines of other jobs and of job steps are ignored.
  void take(const std::string& job, const std::string& lines);
  /// Slurm does not know the job any more: tasks whose end is not known have failed.
  void forgotten() { forgotten_ = true; }
  [[nodiscard]] TaskCounts counts() const;

 private:
  int tasks_;
  bool forgotten_ = false;
  std::map<int, std::string> states_;
};

/// Asks Slurm about a job: squeue, and sacct (if it exists) once squeue does not know the job any
/// more. Errors: cancelled, Slurm does not answer.
Status look_at(const std::string& job, TaskStates& states, const JobContext& context);

}  // namespace aprscope::cli
