#pragma once

#include <cstdint>

#include "core/image/volume.hpp"
#include "gpu/device/cufft_library.hpp"
#include "gpu/device/device_buffer.hpp"

namespace aprscope::gpu {

/// Fourier transform of a real volume of one size on a device, f32, in place, there and back. A
/// buffer has one row of row() floats for each (z, x): pixels before forward(), row() / 2 complex
/// numbers after it, the spectrum of y's non-negative frequencies. Takes its memory when it is
/// made; every function throws a Failure where CUDA fails.
class FftPlan {
 public:
  /// Any size with y ≥ 2; fast where there are no factors but 2, 3, 5 and 7. Work that follows on
  /// `stream`, which must outlive the plan.
  FftPlan(const Size3& size, cudaStream_t stream);

  [[nodiscard]] const Size3& size() const { return size_; }
  [[nodiscard]] std::int64_t row() const { return row_of(size_); }
  [[nodiscard]] std::uint64_t buffer_count() const { return buffer_count(size_); }
  /// Enqueues the transform with exponent −1 / its inverse, times the number of pixels.
  void forward(float* buffer) const;
  void inverse(float* buffer) const;

  /// The smallest size at least this that is fast here: cuFFT's lengths differ from FFTW's. Its
  /// dimensions are 1 or even.
  static Size3 good_size(const Size3& at_least);

  static std::int64_t row_of(const Size3& size) { return 2 * (size.y / 2 + 1); }
  static std::uint64_t buffer_count(const Size3& size) {
    return static_cast<std::uint64_t>(size.z * size.x * row_of(size));
  }
  /// Bytes that a plan takes at most, without buffers.
  static std::uint64_t estimate_bytes(const Size3& size);
  /// Bytes that this one takes.
  [[nodiscard]] std::uint64_t bytes() const { return work_.bytes(); }

 private:
  // A plan of cuFFT.
  class Handle {
   public:
    Handle();
    ~Handle();
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    void renew();
    [[nodiscard]] cufftHandle get() const { return handle_; }

   private:
    const CufftLibrary* library_ = &cufft();
    cufftHandle handle_ = 0;
  };

  std::uint64_t make(Handle& handle, cufftType type, cudaStream_t stream) const;

  Size3 size_;
  const CufftLibrary* library_ = &cufft();
  Handle forward_, inverse_;
  DeviceBuffer<char> work_;  // used by both transforms, one at a time
};

}  // namespace aprscope::gpu
