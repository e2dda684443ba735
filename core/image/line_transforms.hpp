#pragma once

#include <cstdint>
#include <memory>

#include "core/base/result.hpp"

namespace aprscope {

/// Fourier transforms, f32, of single lines of n numbers, for code that walks an image or a volume
/// in its own way (to skip lines of zeros, or not to store results). Same bits always; any number
/// of threads may use it at once. Lines and scratch start at multiples of 64 bytes.
class LineTransforms {
 public:
  /// Complex lines that are transformed together, interleaved: number i of line j is the pair of
  /// floats at 2 (i · kWidth + j).
  static constexpr std::int64_t kWidth = 8;

  /// Plans transforms of n numbers. Errors: n < 1 or > 2^20, no memory, n that FFTW refuses.
  static Result<LineTransforms> create(std::int64_t n);
  ~LineTransforms();
  LineTransforms(LineTransforms&&) noexcept;
  LineTransforms& operator=(LineTransforms&&) noexcept;

  /// An even length from `at_least` on of which lines of both kinds are transformed fast.
  static std::int64_t good_length(std::int64_t at_least);

  /// Floats of kWidth complex lines.
  [[nodiscard]] std::int64_t columns_floats() const;
  /// Transforms kWidth lines at `a` (columns_floats() floats; `b` as many for work): the result is
  /// in the one of both that is returned. Exponent −1 forward, +1 inverse; not scaled.
  float* columns_forward(float* a, float* b) const;
  float* columns_inverse(float* a, float* b) const;

  /// Floats of one real line with room for its spectrum of n / 2 + 1 complex numbers, and of the
  /// scratch it needs.
  [[nodiscard]] std::int64_t row_floats() const;
  [[nodiscard]] std::int64_t row_scratch() const;
  /// Transforms a row in place; row_inverse(row_forward(a)) is n · scale · a.
  void row_forward(float* row, float* scratch) const;
  void row_inverse(float* row, float* scratch, float scale) const;

 private:
  struct State;
  explicit LineTransforms(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Complex lines that are transformed together.
inline constexpr std::int64_t kLinesAtOnce = LineTransforms::kWidth;

}  // namespace aprscope
