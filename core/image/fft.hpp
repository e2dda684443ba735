#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// Fourier transform of a real volume of one size, f32, in place. A buffer has one row of row()
/// floats for each (z, x): before forward() the first size().y of them are pixels, after it the row
/// holds size().y / 2 + 1 complex numbers (real, imaginary), the spectrum of y's non-negative
/// frequencies. The rest of a row is undefined. Same bits for any number of threads. One thread at
/// a time may use a transform.
class Fft3 {
 public:
  /// Plans for `size`; fast where each dimension comes from good_size(). Errors: a dimension below
  /// 1, no memory, a size that FFTW refuses.
  static Result<std::unique_ptr<Fft3>> create(const Size3& size);
  ~Fft3();
  Fft3(const Fft3&) = delete;
  Fft3& operator=(const Fft3&) = delete;

  /// A size from `at_least` on that is transformed fast and hardly larger: in each dimension a
  /// product of two lengths for which FFTW has code of its own (y: twice one, unless it is 1, and a
  /// multiple of 32 where that is not much longer).
  static Size3 good_size(const Size3& at_least);

  [[nodiscard]] const Size3& size() const;
  /// Floats from one row of a buffer to the next; a multiple of 16.
  [[nodiscard]] std::int64_t row() const;
  /// Floats of a buffer: size().z · size().x · row(). A buffer must start at a multiple of 64 bytes
  /// (AlignedVector, Scratch).
  [[nodiscard]] std::int64_t buffer_count() const { return size().z * size().x * row(); }
  /// Bytes of plans and work space, without buffers.
  [[nodiscard]] std::uint64_t bytes() const;

  /// Pixels → spectrum (exponent −1, not scaled). Errors: wrong length, cancelled: the buffer is
  /// then of no use.
  Status forward(std::span<float> buffer, const JobContext& context = {});
  /// Spectrum → pixels, scaled such that inverse(forward(a)) = a.
  Status inverse(std::span<float> buffer, const JobContext& context = {});
  /// forward(), multiplication with `kernel`, a spectrum, or its conjugate, and inverse() in one
  /// go, which moves less memory. Correlation with a stencil is multiplication with the conjugate
  /// of its spectrum, and its adjoint with the spectrum itself.
  Status filter(std::span<float> buffer, std::span<const float> kernel, bool conjugate,
                const JobContext& context = {});

 private:
  struct State;
  explicit Fft3(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace aprscope
