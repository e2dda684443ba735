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
#include "core/io/tiff/strip_packer.hpp"
#include "core/io/zarr/zarr_write.hpp"
#include "core/pipeline/execution.hpp"
#include "core/ranks/ranks.hpp"

namespace aprscope::cli {

using Json = nlohmann::ordered_json;

/// Options of every command.
struct GlobalOptions {
  bool json = false;
  bool quiet = false;
  /// Outputs may replace files that they are made from, without asking.
  bool force = false;
  /// The version of OME-Zarr to write.
  OmeZarrVersion ome_zarr = OmeZarrVersion::v04;
  /// The compression of images written as TIFF.
  TiffPacking tiff_packing = TiffPacking::deflate;
  std::string device = "auto";
  /// Why the CPU was chosen, see ChosenBackend; and whether the machine has a GPU: if not, users
  /// are told the reason only if they asked for a device.
  std::string device_reason;
  bool has_gpu = false;
  int threads = 0;
  /// The processes that share the work; null: there is only this one.
  Ranks* ranks = nullptr;
};

/// A message for users who started several processes of a command that does not share its work.
std::string unshared_sentence(int processes);

/// A context that reports as this one does, but is never stopped: for hosts that are asked to keep
/// what there is instead.
JobContext unstoppable(const JobContext& context);

/// One run of a command: its device, progress line, times and report.
class Session {
 public:
  Session(const GlobalOptions& options, std::shared_ptr<const Backend> backend,
          std::stop_token stop);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// The backend to compute on. Without a call, the report says that the CPU computed.
  [[nodiscard]] const Backend& backend() const {
    asked_ = true;
    return *backend_;
  }
  [[nodiscard]] const GlobalOptions& options() const { return options_; }
  /// The stop token and the progress line of this run. If a job is computed elsewhere than on the
  /// backend, prints this on stderr each time and keeps it for the report.
  [[nodiscard]] const JobContext& context() const { return context_; }

  /// The processes that share the present computation; null: none.
  [[nodiscard]] Ranks* ranks() const { return options_.ranks; }
  /// Whether this is not the first of several processes: then it writes and prints nothing.
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

  /// Describes the devices of several steps: device, device_chosen, device_reason (null if it is
  /// the chosen device).
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
