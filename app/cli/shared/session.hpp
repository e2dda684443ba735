#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/job_context.hpp"
#include "core/io/zarr/zarr_write.hpp"
#include "core/pipeline/execution.hpp"
#include "core/ranks/ranks.hpp"

namespace aprscope::cli {

using Json = nlohmann::ordered_json;

/// What every command takes.
struct GlobalOptions {
  bool json = false;
  bool quiet = false;
  /// Outputs may replace files that they are made from.
  bool force = false;
  /// Of folders of OME-Zarr that are written.
  OmeZarrVersion ome_zarr = OmeZarrVersion::v04;
  std::string device = "auto";
  /// Why that came to the CPU, see ChosenBackend; and whether there is no GPU at all, which nobody
  /// needs to be told who did not ask.
  std::string device_reason;
  bool has_gpu = false;
  int threads = 0;
  /// Processes that share the work; null: this is the only one.
  Ranks* ranks = nullptr;
};

/// What is said where so many processes were started together and do not share their work.
std::string unshared_sentence(int processes);

/// One run of a command: its device, progress line, times and report.
class Session {
 public:
  Session(const GlobalOptions& options, std::shared_ptr<const Backend> backend,
          std::stop_token stop);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Whoever asks for it computes there; a session that nobody asked computed on the CPU.
  [[nodiscard]] const Backend& backend() const {
    asked_ = true;
    return *backend_;
  }
  [[nodiscard]] const GlobalOptions& options() const { return options_; }
  /// Stop token and progress line of this run. Says on stderr, each time, where a job is computed
  /// elsewhere than on the backend, and keeps that for the report.
  [[nodiscard]] const JobContext& context() const { return context_; }

  /// Processes that share what is computed now; null: none.
  [[nodiscard]] Ranks* ranks() const { return options_.ranks; }
  /// Not the first of several processes: it writes and prints nothing.
  [[nodiscard]] bool is_helper() const {
    return options_.ranks != nullptr && !options_.ranks->is_first();
  }

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

  /// Where several steps ran, one after the other, and what was chosen: device, device_chosen,
  /// device_reason (null where it is what was chosen).
  void describe_devices(const std::vector<StepCost>& costs, Json& report) const;

  /// Prints the report with device, threads, times and memory. False if stdout is not writable.
  bool finish();
  void clear_progress();

 private:
  void add_seconds(const char* stage, double seconds);
  void add_move(const DeviceMove& move);
  void describe_device(Json& report) const;
  void describe_ranks(Json& report) const;
  void show_progress(double fraction, std::string_view stage);
  void log_progress(double fraction, std::string_view stage);

  GlobalOptions options_;
  std::shared_ptr<const Backend> backend_;
  JobContext context_;
  Json report_ = Json::object();
  Json seconds_ = Json::object();
  mutable std::atomic<bool> asked_{false};
  std::mutex moves_mutex_;
  std::vector<DeviceMove> moves_;
  std::mutex progress_mutex_;
  std::chrono::steady_clock::time_point last_progress_;
  std::size_t progress_width_ = 0;
};

}  // namespace aprscope::cli
