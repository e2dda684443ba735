// Runs a batch as jobs of a cluster: writes scripts, submits them and reports their progress.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <thread>

#include "app/cli/commands/run_options.hpp"
#include "app/cli/shared/slurm_jobs.hpp"
#include "app/cli/shared/slurm_script.hpp"
#include "core/base/atomic_file.hpp"
#include "core/pipeline/batch_memory.hpp"
#include "core/pipeline/batch_merge.hpp"
#include "core/pipeline/device_names.hpp"

namespace aprscope::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kMostTasks = 20;
// How often Slurm may fail to answer: for a while, it does so when it is being restarted.
constexpr int kMostSilent = 60;
constexpr std::chrono::milliseconds kBetweenLooks{1000};
constexpr std::chrono::milliseconds kMoment{20};

struct Submission {
  SlurmJob job;
  std::string device;
  fs::path folder;
  std::string csv;
  std::vector<std::string> tables;
  fs::path array_path;
  fs::path merge_path;
};

// An absolute path that keeps "..", since a symbolic link may stand before it.
std::string whole_path(const std::string& path) {
  fs::path whole;
  for (const fs::path& part : fs::absolute(path)) {
    if (!part.empty() && part != ".") whole /= part;
  }
  return whole.string();
}

// Absolute paths, also of "file.h5:/group/volume", where only the part before the colon is a file.
std::vector<std::string> whole_paths(const std::vector<std::string>& paths) {
  std::vector<std::string> whole;
  whole.reserve(paths.size());
  for (const std::string& path : paths) {
    const auto colon = path.find(":/");
    std::error_code code;
    whole.push_back(colon == std::string::npos || fs::exists(path, code)
                        ? whole_path(path)
                        : whole_path(path.substr(0, colon)) + path.substr(colon));
  }
  return whole;
}

// The memory of a task: that of the largest input. Inputs that cannot be read fail in their task.
Result<std::uint64_t> memory_for(const Recipe& recipe, const std::vector<std::string>& inputs,
                                 const JobContext& context) {
  std::uint64_t most = estimate_job_bytes({}, {});
  for (const std::string& input : inputs) {
    if (context.stop_requested()) return cancelled_error();
    const auto info = inspect(input, context);
    if (info) most = std::max(most, estimate_job_bytes(recipe, *info));
  }
  return most;
}

Result<Submission> plan(const RunOptions& options, const Session& session) {
  auto recipe = load_recipe(options.recipe);
  if (!recipe) return recipe.error();
  auto asked = slurm_options(options.submit);
  if (!asked) return asked.error();
  std::error_code code;
  const fs::path program = fs::read_symlink("/proc/self/exe", code);
  if (code) return Error{"is not known", "the path of this program", "run it on Linux"};
  Submission made;
  SlurmJob& job = made.job;
  job.folder = fs::current_path(code).string();
  if (code) return Error{"cannot be found (" + code.message() + ")", "the current folder", ""};
  const std::string out = whole_path(options.output);
  made.csv = options.csv.empty() ? (fs::path(out) / "table.csv").string() : whole_path(options.csv);
  made.folder = fs::path(out) / "slurm";
  made.array_path = made.folder / "parts.sh";
  made.merge_path = made.folder / "merge.sh";
  job.options = *std::move(asked);
  const GlobalOptions& global = session.options();
  made.device = global.device;
  if (const auto named = named_gpus(global.device)) {
    const std::size_t gpus = named->all ? 1 : named->numbers.size();
    if (job.options.gpus.empty()) job.options.gpus = std::to_string(gpus);
    // A task sees only the GPUs assigned to it, counted from 0.
    made.device = named->all || gpus > 1 ? "cuda:all" : "cuda:0";
  }
  if (job.options.cpus == 0) job.options.cpus = global.threads;
  job.parts = options.parts > 0
                  ? options.parts
                  : static_cast<int>(std::min<std::size_t>(options.inputs.size(), kMostTasks));
  job.command = {program.string(), "run", whole_path(options.recipe)};
  job.inputs = whole_paths(options.inputs);
  job.more = {"-o", out + "/", "--csv", made.csv, "--allow-failures", "--device", made.device};
  const SourceSelection selection = chosen_selection(options, *recipe);
  if (options.channel_given) {
    job.more.insert(job.more.end(), {"--channel", std::to_string(selection.channel)});
  }
  if (options.time_given) {
    job.more.insert(job.more.end(), {"--time", std::to_string(selection.time)});
  }
  if (options.skip_done) job.more.emplace_back("--skip-done");
  if (global.force) job.more.emplace_back("--force");
  if (job.options.mem.empty()) {
    const auto memory = memory_for(*recipe, options.inputs, session.context());
    if (!memory) return memory.error();
    job.memory_bytes = *memory;
  }
  for (int part = 1; part <= job.parts; ++part) {
    made.tables.push_back(name_of_part(made.csv, {part, job.parts}));
  }
  return made;
}

Status write_scripts(const Submission& made, Session& session) {
  std::error_code code;
  fs::create_directory(made.folder.parent_path(), code);
  fs::create_directory(made.folder, code);
  if (!fs::is_directory(made.folder, code)) {
    return Error{"cannot be made a folder", made.folder.string(),
                 "give an existing folder for the results, or a new one in an existing folder"};
  }
  const std::string array = array_script(made.job);
  const std::string merge = merge_script(made.job, made.tables, made.csv);
  if (Status ok = write_text_atomically(made.array_path, array); !ok) return ok;
  if (Status ok = write_text_atomically(made.merge_path, merge); !ok) return ok;
  if (session.options().json) {
    session.report()["script"] = array;
    session.report()["merge_script"] = merge;
  } else if (!session.options().quiet) {
    // Escapes in scripts protect the terminal from control characters in names of files.
    std::cout << array << '\n' << merge << '\n' << std::flush;
  }
  session.report()["scripts"] = {made.array_path.string(), made.merge_path.string()};
  session.report()["tasks"] = made.job.parts;
  session.report()["device"] = made.device;
  session.report()["csv"] = made.csv;
  return {};
}

Error left_alone(const std::string& array, const std::string& merge) {
  return {"is followed no more, and goes on", "job " + array,
          "to see it: squeue --jobs=" + array + "," + merge + "; to end it: scancel " + array +
              " " + merge};
}

// Waits until no task is left; reports progress whenever it changes.
Result<TaskCounts> follow(const std::string& job, int tasks, const Error& stopped,
                          Session& session) {
  TaskStates states(tasks);
  std::string before;
  for (int silent = 0;;) {
    if (session.context().stop_requested()) return stopped;
    const Status looked = look_at(job, states, session.context());
    if (!looked) {
      if (looked.error().cancelled()) return stopped;
      if (++silent > kMostSilent) {
        return Error{looked.error().what, looked.error().where, stopped.advice};
      }
    } else {
      silent = 0;
    }
    const TaskCounts counts = states.counts();
    const std::string now = to_text(counts);
    if (now != before) {
      session.context().report(static_cast<double>(counts.done + counts.failed) / tasks, now);
    }
    before = now;
    if (looked && counts.ended()) return counts;
    for (auto waited = kMoment; waited < kBetweenLooks; waited += kMoment) {
      if (session.context().stop_requested()) return stopped;
      std::this_thread::sleep_for(kMoment);
    }
  }
}

}  // namespace

Status run_submitted(const RunOptions& options, Session& session) {
  if (!options.dry_run) {
    if (Status ok = check_slurm(); !ok) return ok;
  }
  const auto made = plan(options, session);
  if (!made) return made.error();
  std::vector<std::string> inputs = options.inputs;
  inputs.push_back(options.recipe);
  if (Status ok = write_scripts(*made, session); !ok) return ok;
  if (Status ok = check_output(made->csv, inputs, session); !ok) return ok;
  if (options.dry_run) return {};
  // Removes the tables of an earlier run, which would be mistaken for those of this one.
  for (const std::string& table : made->tables) {
    std::error_code code;
    fs::remove(table, code);
    if (code) return Error{"cannot be removed (" + code.message() + ")", table, ""};
  }
  const auto array = submit_script(made->array_path.string(), made->folder.string(),
                                   "part-%A_%a.log", "", session.context());
  if (!array) return array.error();
  const auto merge = submit_script(made->merge_path.string(), made->folder.string(), "merge-%j.log",
                                   *array, session.context());
  if (!merge) {
    Error error = merge.error();
    error.advice = "the array runs all the same: end it with scancel " + *array +
                   ", or merge its tables later with bash " + made->merge_path.string();
    return error;
  }
  session.report()["job"] = *array;
  session.report()["merge_job"] = *merge;
  if (!session.options().quiet && !session.options().json) {
    std::cout << "job " << *array << ", then " << *merge << "; to end them: scancel " << *array
              << " " << *merge << '\n'
              << std::flush;
  }
  const Error stopped = left_alone(*array, *merge);
  const auto parts = follow(*array, made->job.parts, stopped, session);
  if (!parts) return parts.error();
  const auto merged = follow(*merge, 1, stopped, session);
  if (!merged) return merged.error();
  session.report()["done"] = parts->done;
  session.report()["failed_tasks"] = parts->failed;
  const auto failed = [&](const std::string& what) {
    session.finish();
    return Error{what, made->folder.string(), "look at its logs"};
  };
  const std::string tasks_failed = parts->failed == 0
                                       ? ""
                                       : std::to_string(parts->failed) + " of " +
                                             std::to_string(made->job.parts) + " tasks failed";
  if (merged->failed > 0) {
    return failed((tasks_failed.empty() ? "" : tasks_failed + ", and ") +
                  std::string("the tables were not merged"));
  }
  const auto table = merge_parts({made->tables.begin(), made->tables.end()});
  if (!table) return table.error();
  session.report()["failed"] = table->failed;
  if (parts->failed > 0) return failed(tasks_failed);
  if (table->failed == 0 || options.allow_failures) return {};
  session.finish();
  return Error{
      std::to_string(table->failed) + " of " + std::to_string(table->rows) + " files failed",
      made->csv, "its last column says why"};
}

}  // namespace aprscope::cli
