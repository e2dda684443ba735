#include "app/cli/shared/slurm_jobs.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>
#include <string_view>

#include "core/base/process.hpp"
#include "core/base/program_output.hpp"

namespace aprscope::cli {
namespace {

// Doubles each %, since Slurm replaces % and the letter after it in the name of a log.
std::string without_patterns(const std::string& path) {
  std::string text;
  for (const char c : path) text += c == '%' ? "%%" : std::string(1, c);
  return text;
}

// The tasks in a list of Slurm: 1 to 4 and 7 for "[1-4,7%2]", 3 for "3".
std::vector<int> tasks_in(std::string_view text, int most) {
  std::vector<int> tasks;
  if (!text.empty() && text.front() == '[') text.remove_prefix(1);
  text = text.substr(0, text.find_first_of("%]"));
  std::istringstream pieces{std::string(text)};
  for (std::string piece; std::getline(pieces, piece, ',');) {
    int first = 0;
    const char* const end = piece.data() + piece.size();
    const auto read = std::from_chars(piece.data(), end, first);
    if (read.ec != std::errc()) continue;
    int last = first;
    if (read.ptr != end && *read.ptr == '-') std::from_chars(read.ptr + 1, end, last);
    for (int task = std::max(1, first); task <= std::min(last, most); ++task) tasks.push_back(task);
  }
  return tasks;
}

enum class TaskKind { pending, running, done, failed };

TaskKind kind_of(const std::string& state) {
  static const std::set<std::string> waiting{"PENDING",      "CONFIGURING",  "REQUEUED",
                                             "SUSPENDED",    "REQUEUE_HOLD", "SPECIAL_EXIT",
                                             "RESV_DEL_HOLD"};
  static const std::set<std::string> at_work{"RUNNING",   "COMPLETING", "STAGE_OUT",
                                             "SIGNALING", "STOPPED",    "RESIZING"};
  // sacct adds more words, as in "CANCELLED by 0".
  const std::string word = state.substr(0, state.find(' '));
  if (waiting.count(word) > 0) return TaskKind::pending;
  if (at_work.count(word) > 0) return TaskKind::running;
  return word == "COMPLETED" ? TaskKind::done : TaskKind::failed;
}

}  // namespace

Status check_slurm() {
  for (const char* program : {"sbatch", "squeue"}) {
    if (find_program(program)) continue;
    return Error{"is not installed here", program,
                 "submit from a login node of the cluster, or only write the scripts: --dry-run"};
  }
  return {};
}

Result<std::string> submit_script(const std::string& script, const std::string& log_folder,
                                  const std::string& log_name, const std::string& after,
                                  const JobContext& context) {
  std::vector<std::string> command{"sbatch", "--parsable",
                                   "--output=" + without_patterns(log_folder) + "/" + log_name};
  if (!after.empty()) command.push_back("--dependency=afterany:" + after);
  command.push_back(script);
  const auto said = output_of(command, context);
  if (!said && said.error().cancelled()) {
    return Error{"was ended before it said the number of a job", "sbatch",
                 "look at squeue --me: one may be there"};
  }
  if (!said) return said.error();
  // With several clusters, sbatch prints "12;cluster".
  const std::string job = said->substr(0, said->find_first_not_of("0123456789"));
  if (job.empty()) return Error{"said no number of a job", "sbatch", "look at squeue --me"};
  return job;
}

std::string to_text(const TaskCounts& counts) {
  return std::to_string(counts.pending) + " pending, " + std::to_string(counts.running) +
         " running, " + std::to_string(counts.done) + " done, " + std::to_string(counts.failed) +
         " failed";
}

void TaskStates::take(const std::string& job, const std::string& lines) {
  std::istringstream all(lines);
  for (std::string line; std::getline(all, line);) {
    const auto bar = line.find('|');
    if (bar == std::string::npos) continue;
    const std::string name = line.substr(0, bar);
    const std::string state = line.substr(bar + 1);
    // A job that is not an array is reported as its only task.
    if (name == job) states_[1] = state;
    if (name.rfind(job + "_", 0) != 0 || name.find('.') != std::string::npos) continue;
    for (const int task : tasks_in(std::string_view(name).substr(job.size() + 1), tasks_)) {
      states_[task] = state;
    }
  }
}

TaskCounts TaskStates::counts() const {
  TaskCounts counts;
  for (int task = 1; task <= tasks_; ++task) {
    const auto known = states_.find(task);
    TaskKind kind = known == states_.end() ? TaskKind::pending : kind_of(known->second);
    if (forgotten_ && (kind == TaskKind::pending || kind == TaskKind::running)) {
      kind = TaskKind::failed;
    }
    if (kind == TaskKind::pending) ++counts.pending;
    if (kind == TaskKind::running) ++counts.running;
    if (kind == TaskKind::done) ++counts.done;
    if (kind == TaskKind::failed) ++counts.failed;
  }
  return counts;
}

Status look_at(const std::string& job, TaskStates& states, const JobContext& context) {
  const auto queue = output_of(
      {"squeue", "--noheader", "--array", "--states=all", "--jobs=" + job, "--format=%i|%T"},
      context);
  if (queue && !queue->empty()) {
    states.take(job, *queue);
    return {};
  }
  const bool unknown = queue.ok() || queue.error().what.find("Invalid job id") != std::string::npos;
  if (!unknown) return queue.error();
  if (find_program("sacct")) {
    const auto account = output_of({"sacct", "--noheader", "--parsable2", "--allocations",
                                    "--jobs=" + job, "--format=JobID,State"},
                                   context);
    // Clusters without accounting have sacct as well; it fails there, which is ignored.
    if (account) states.take(job, *account);
    if (!account && account.error().cancelled()) return account.error();
  }
  states.forgotten();
  return {};
}

}  // namespace aprscope::cli
