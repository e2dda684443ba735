#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/device/cufft_library.hpp"
#include "gpu/device/device_buffer.hpp"

namespace aprscope::gpu {

/// Pinned memory of the host, for fast transfers.
class PinnedBuffer {
 public:
  explicit PinnedBuffer(std::uint64_t bytes);
  ~PinnedBuffer();
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;
  [[nodiscard]] std::byte* data() const { return data_; }

 private:
  std::byte* data_ = nullptr;
};

/// Transforms of many lines of one length, which lie one after the other; those of real lines have
/// length / 2 + 1 numbers. Not scaled.
class LinePlan {
 public:
  LinePlan(cufftType type, std::int64_t length, std::int64_t count, cudaStream_t stream);
  ~LinePlan();
  LinePlan(const LinePlan&) = delete;
  LinePlan& operator=(const LinePlan&) = delete;
  void forward(float* from, float2* to) const;
  void forward(float2* lines) const;
  /// Exponent +1; overwrites the spectra of real lines.
  void inverse(float2* lines) const;
  void inverse(float2* from, float* to) const;

 private:
  const CufftLibrary* library_ = &cufft();
  cufftHandle handle_ = 0;
  DeviceBuffer<char> work_;
};

}  // namespace aprscope::gpu
