#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <string>

#include <nlohmann/json.hpp>

#include "core/base/job_context.hpp"
#include "core/pipeline/backend.hpp"

namespace aprscope::cli {

using Json = nlohmann::ordered_json;

/// What every command takes.
struct GlobalOptions {
  bool json = false;
  bool quiet = false;
  /// Outputs may replace files that they are made from.
  bool force = false;
  std::string device = "auto";
  int threads = 0;
};

/// One run of a command: its device, progress line, times and report.
class Session {
 public:
  Session(const GlobalOptions& options, std::shared_ptr<const Backend> backend,
          std::stop_token stop);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  [[nodiscard]] const Backend& backend() const { return *backend_; }
  [[nodiscard]] const GlobalOptions& options() const { return options_; }
  /// Stop token and progress line of this run.
  [[nodiscard]] const JobContext& context() const { return context_; }

  /// The object that --json prints; without it, its text form is printed.
  Json& report() { return report_; }

  /// Runs `work` and adds its time to seconds.<stage>.
  template <class Work>
  auto timed(const char* stage, const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    auto result = work();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    add_seconds(stage, elapsed.count());
    return result;
  }

  /// Prints the report with device, threads, times and memory. False if stdout is not writable.
  bool finish();
  void clear_progress();

 private:
  void add_seconds(const char* stage, double seconds);
  void show_progress(double fraction, std::string_view stage);

  GlobalOptions options_;
  std::shared_ptr<const Backend> backend_;
  JobContext context_;
  Json report_ = Json::object();
  Json seconds_ = Json::object();
  std::mutex progress_mutex_;
  std::chrono::steady_clock::time_point last_progress_;
  std::size_t progress_width_ = 0;
};

}  // namespace aprscope::cli
