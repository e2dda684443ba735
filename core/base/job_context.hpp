#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

namespace aprscope {

/// A job is computed on another device than the one that was asked for.
struct DeviceMove {
  /// The device that was asked for, such as "cuda:0".
  std::string asked;
  /// The device that computes, such as "cpu", and its name, such as "CPU, 2 threads, AVX-512".
  std::string device;
  std::string name;
  /// Why the device was changed, in words.
  std::string reason;
  friend bool operator==(const DeviceMove&, const DeviceMove&) = default;
};

/// A sentence about the move: "computed on cpu instead of cuda:0: it needs 3 GB …."
std::string sentence(const DeviceMove& move);

/// What a long computation needs from its host: "shall I stop?" and "this far". It knows no user
/// interface. A default-made context never stops and reports to nobody. Cheap to copy.
class JobContext {
 public:
  /// Called with the fraction done in [0, 1] and the name of the stage; may be called from any
  /// thread, one call at a time is not guaranteed.
  using Sink = std::function<void(double fraction, std::string_view stage)>;
  /// Called before a job starts on another device, from the thread that runs the job.
  using MoveSink = std::function<void(const DeviceMove& move)>;

  JobContext() = default;
  explicit JobContext(std::stop_token stop, Sink sink = {});

  [[nodiscard]] bool stop_requested() const { return stop_.stop_requested(); }
  [[nodiscard]] const std::stop_token& stop_token() const { return stop_; }

  /// Reports progress: fraction in [0, 1] of this context's part.
  void report(double fraction, std::string_view stage) const;

  /// Says that the job is computed on another device; reports every call, not only the first.
  void moved(const DeviceMove& move) const;
  /// A context that tells `sink` of moves, and then the sink of this context.
  [[nodiscard]] JobContext listening(MoveSink sink) const;

  /// A context whose [0, 1] is [from, to] of this one.
  [[nodiscard]] JobContext part(double from, double to) const;

 private:
  std::stop_token stop_;
  Sink sink_;
  MoveSink move_sink_;
  double from_ = 0.0;
  double to_ = 1.0;
};

}  // namespace aprscope
