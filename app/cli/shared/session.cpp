#include "app/cli/shared/session.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <utility>

#include <unistd.h>

#include "app/cli/shared/text_report.hpp"
#include "core/base/printable.hpp"
#include "core/base/system.hpp"
#include "core/operations/schema/parameter_json.hpp"

namespace aprscope::cli {

std::string unshared_sentence(int processes) {
  return "this command is not shared: each of the " + std::to_string(processes) +
         " processes does all of it.";
}

JobContext unstoppable(const JobContext& context) {
  return JobContext({}, [context](double fraction,
                                  std::string_view stage) { context.report(fraction, stage); })
      .listening([context](const DeviceMove& move) { context.moved(move); });
}

Session::Session(const GlobalOptions& options, std::shared_ptr<const Backend> backend,
                 std::stop_token stop)
    : options_(options), backend_(std::move(backend)) {
  JobContext::Sink sink;
  const bool shows = !options_.quiet && !is_helper();
  if (shows && ::isatty(STDERR_FILENO) != 0) {
    sink = [this](double fraction, std::string_view stage) { show_progress(fraction, stage); };
  } else if (shows && options_.ranks != nullptr) {
    // mpirun connects stderr to a pipe and not to a terminal; progress is logged line by line.
    last_progress_ = std::chrono::steady_clock::now();
    sink = [this](double fraction, std::string_view stage) { log_progress(fraction, stage); };
  }
  context_ = JobContext(std::move(stop), std::move(sink)).listening([this](const DeviceMove& move) {
    add_move(move);
  });
}

Session::~Session() { clear_progress(); }

void Session::add_move(const DeviceMove& move) {
  {
    const std::lock_guard lock(moves_mutex_);
    moves_.push_back(move);
  }
  if (options_.quiet) return;
  clear_progress();
  std::string line = sentence(move);
  std::replace(line.begin(), line.end(), '\n', ' ');
  // Names the process, since a slower one makes all others wait.
  const std::string who = options_.ranks != nullptr
                              ? " (rank " + std::to_string(options_.ranks->place().rank) + ")"
                              : "";
  std::fprintf(stderr, "aprscope-cli%s: %s\n", who.c_str(), line.c_str());
}

void Session::describe_devices(const std::vector<StepCost>& costs, Json& report) const {
  std::string devices;
  std::string last;
  for (const StepCost& cost : costs) {
    const std::string device = cost.moved ? cost.moved->device : backend_->id();
    if (device != last) devices += (devices.empty() ? "" : " + ") + device;
    last = device;
  }
  std::string reason = options_.device_reason;
  if (const std::string moves = move_reasons(costs); !moves.empty()) reason = moves;
  report["device"] = devices.empty() ? backend_->id() : devices;
  report["device_chosen"] = options_.device;
  report["device_reason"] = reason.empty() ? Json(nullptr) : Json(reason);
}

void Session::describe_device(Json& report) const {
  std::string device = backend_->id();
  std::string reason = options_.device_reason;
  if (!moves_.empty()) {
    device = moves_.back().device;
    reason = moves_.back().reason;
  } else if (!asked_ && device != "cpu") {
    device = "cpu";
    reason = "this is computed on the CPU only";
  }
  report["device"] = device;
  report["device_chosen"] = options_.device;
  report["device_reason"] = reason.empty() ? Json(nullptr) : Json(reason);
}

void Session::add_seconds(const char* stage, double seconds) {
  const double before = seconds_.value(stage, 0.0);
  seconds_[stage] = before + seconds;
}

void Session::show_progress(double fraction, std::string_view stage) {
  const std::lock_guard lock(progress_mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (now - last_progress_ < std::chrono::milliseconds(100)) return;
  last_progress_ = now;
  // Stages may contain names of files, so control characters are escaped.
  const std::string shown = printable_line(stage);
  std::string line = std::to_string(static_cast<int>(fraction * 100.0)) + " % " +
                     std::string(utf8_prefix(shown, 60));
  const std::size_t width = line.size();
  if (width < progress_width_) line.append(progress_width_ - width, ' ');
  progress_width_ = width;
  std::fprintf(stderr, "\r%s", line.c_str());
  std::fflush(stderr);
}

void Session::log_progress(double fraction, std::string_view stage) {
  constexpr std::chrono::seconds kBetween{30};
  const std::lock_guard lock(progress_mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (now - last_progress_ < kBetween) return;
  last_progress_ = now;
  std::fprintf(stderr, "aprscope-cli: %d %% %s\n", static_cast<int>(fraction * 100.0),
               printable_line(stage).c_str());
}

void Session::describe_ranks(Json& report) const {
  if (options_.ranks == nullptr || options_.ranks->moved_bytes() == 0) return;
  report["processes"] = options_.ranks->place().count;
  report["exchanged_bytes"] = options_.ranks->moved_bytes();
  if (options_.ranks->seconds() > 0.0) report["exchange_s"] = options_.ranks->seconds();
}

void Session::clear_progress() {
  const std::lock_guard lock(progress_mutex_);
  if (progress_width_ == 0) return;
  std::fprintf(stderr, "\r%*s\r", static_cast<int>(progress_width_), "");
  std::fflush(stderr);
  progress_width_ = 0;
}

bool Session::finish() {
  clear_progress();
  // A command of several steps has described the device of each step already.
  if (!report_.contains("device")) describe_device(report_);
  describe_ranks(report_);
  report_["threads"] = thread_count();
  report_["seconds"] = seconds_;
  report_["peak_rss_bytes"] = peak_resident_bytes();
  if (options_.json) {
    std::cout << printable_json(dump(report_, 2)) << '\n';
  } else if (!options_.quiet) {
    // Omitted if it says nothing new: the device is the chosen one, or there is no other.
    const bool no_choice = options_.device == "auto" && !options_.has_gpu;
    if (report_["device_reason"].is_null() || (no_choice && moves_.empty())) {
      report_.erase("device_chosen");
      report_.erase("device_reason");
    }
    std::cout << text_report(report_);
  }
  std::cout.flush();
  return static_cast<bool>(std::cout);
}

}  // namespace aprscope::cli
