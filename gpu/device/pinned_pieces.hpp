#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/device/device_buffer.hpp"

namespace aprscope::gpu {

/// Pinned memory through which data travels between the program's memory and a device: the bus
/// moves only what is pinned, and pinning takes longer than copying. Each of several threads has
/// two pieces of its own, so that one is copied while the other is on the bus, and no thread waits
/// for another. One transfer at a time.
class PinnedPieces {
 public:
  /// Of the device that is current. Throws a Failure, as all functions do.
  explicit PinnedPieces(int device);

  /// Enqueues the transfer in `stream`; returns when all of `from` was read.
  void upload(const void* from, void* to, std::uint64_t bytes, cudaStream_t stream);
  /// Returns when all of `to` is written.
  void download(const void* from, void* to, std::uint64_t bytes, cudaStream_t stream);

 private:
  static constexpr int kThreads = 12;
  struct Piece {
    std::byte* memory = nullptr;
    Event done;  // after its last transfer
  };
  template <class Carry>
  void share(std::uint64_t bytes, const Carry& carry);

  int device_;
  Piece pieces_[kThreads][2];
};

}  // namespace aprscope::gpu
