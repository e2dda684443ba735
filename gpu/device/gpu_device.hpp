#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "gpu/device/device_buffer.hpp"
#include "gpu/device/pinned_pieces.hpp"

namespace aprscope::gpu {

/// A GPU in use: its streams, and the pinned memory for transfers. There is one object per device
/// and process; it is never destroyed, so buffers may outlive the code that made them.
class GpuDevice {
 public:
  /// The device of this index, opened on first use. Errors: there is none, the driver refuses.
  static Result<std::shared_ptr<GpuDevice>> open(int index);

  /// Makes the device current for this thread; call it before all else here. Throws a Failure, as
  /// all functions below do.
  void use() const { use_device(index_); }

  [[nodiscard]] int index() const { return index_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] int multiprocessors() const { return multiprocessors_; }
  /// Work that depends on one another goes to main(); side() runs beside it and goes first where
  /// both wait, see fork() and join().
  [[nodiscard]] cudaStream_t main() const { return main_; }
  [[nodiscard]] cudaStream_t side() const { return side_; }
  /// Makes side() wait for main() / main() wait for side().
  void fork() const;
  void join() const;

  /// Copies through pinned memory, see PinnedPieces. upload() returns when `from` was read,
  /// download() when `to` is written.
  void upload(const void* from, void* to, std::uint64_t bytes) { upload(from, to, bytes, main_); }
  /// The same upload, in the order of another stream of this device.
  void upload(const void* from, void* to, std::uint64_t bytes, cudaStream_t stream);
  void download(const void* from, void* to, std::uint64_t bytes);
  /// Bytes that upload() has sent, and that download() has brought to the host so far.
  [[nodiscard]] std::uint64_t uploaded_bytes() const { return uploaded_; }
  [[nodiscard]] std::uint64_t downloaded_bytes() const { return downloaded_; }
  template <class T>
  DeviceBuffer<T> upload(std::span<const T> from, const char* what) {
    DeviceBuffer<T> to(from.size(), what, main());
    upload(from.data(), to.data(), from.size_bytes());
    return to;
  }

  /// A lock to hold while a job uses the device: jobs of several threads take turns.
  [[nodiscard]] std::mutex& turn() { return turn_; }

  explicit GpuDevice(int index);

 private:
  int index_;
  std::string name_;
  int multiprocessors_ = 0;
  Stream main_;
  Stream side_{true};
  Event forked_;
  Event joined_;
  std::mutex turn_;
  PinnedPieces pinned_;
  std::atomic<std::uint64_t> uploaded_ = 0;
  std::atomic<std::uint64_t> downloaded_ = 0;
};

}  // namespace aprscope::gpu
