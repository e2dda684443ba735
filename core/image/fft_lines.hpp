#pragma once

#include <cstdint>
#include <utility>

#include <fftw3.h>

#include "core/base/aligned_vector.hpp"

namespace aprscope::detail {

/// A plan of FFTW, chosen by rule and not by measuring, or one run would round differently from the
/// next.
class FftPlan {
 public:
  FftPlan() = default;
  explicit FftPlan(fftwf_plan plan) : plan_(plan) {}
  FftPlan(FftPlan&& other) noexcept : plan_(std::exchange(other.plan_, nullptr)) {}
  FftPlan& operator=(FftPlan&& other) noexcept {
    std::swap(plan_, other.plan_);
    return *this;
  }
  ~FftPlan();
  [[nodiscard]] fftwf_plan get() const { return plan_; }

 private:
  fftwf_plan plan_ = nullptr;
};

/// n = first · second, both lengths that FFTW has own code for and transforms in one go: two sweeps
/// through a line take at most half the time of the plans that FFTW chooses by rule. {n, 1}: n
/// itself is such a length; {0, 0}: n is no product of two such lengths.
struct FftSteps {
  std::int64_t first = 0, second = 0;
};
FftSteps fft_steps(std::int64_t n);

/// Transforms of kWidth interleaved columns of n complex numbers. Lines lie at multiples of 64
/// bytes, two of size() floats for each call: `a` holds the columns, the result is in the one that
/// is returned. Not scaled. Any number of threads may use it at once.
class FftColumns {
 public:
  static constexpr std::int64_t kWidth = 8;

  FftColumns() = default;
  /// Throws std::bad_alloc; ok() is false where FFTW has no plan.
  explicit FftColumns(std::int64_t n);

  [[nodiscard]] bool ok() const { return n_ == 1 || (to_.first.get() && from_.first.get()); }
  /// Number of floats of kWidth columns.
  [[nodiscard]] std::int64_t size() const { return 2 * kWidth * n_; }
  float* forward(float* a, float* b) const { return run(to_, a, b); }
  float* inverse(float* a, float* b) const { return run(from_, a, b); }
  [[nodiscard]] std::uint64_t bytes() const { return 2 * to_.turns.size() * sizeof(float); }

 private:
  struct Way {
    FftPlan first, second;
    AlignedVector<float> turns;  // between the two: real, imaginary
  };
  static Way make(std::int64_t n, int sign, float* a, float* b);
  float* run(const Way& way, float* a, float* b) const;

  std::int64_t n_ = 1;
  std::int64_t second_ = 1;
  Way to_, from_;
};

/// Transforms of one row of n real numbers, which lies at a multiple of 64 bytes, in place: n / 2 +
/// 1 complex numbers, in room for pitch() floats. Needs scratch() floats at a multiple of 64 bytes.
class FftRow {
 public:
  FftRow() = default;
  /// Throws std::bad_alloc; ok() is false where FFTW has no plan.
  explicit FftRow(std::int64_t n);

  [[nodiscard]] bool ok() const { return to_.get() != nullptr && from_.get() != nullptr; }
  /// The least multiple of 16 floats that holds the spectrum.
  [[nodiscard]] std::int64_t pitch() const { return (2 * (n_ / 2 + 1) + 15) / 16 * 16; }
  [[nodiscard]] std::int64_t scratch() const { return pitch() + 32; }
  void forward(float* row, float* scratch) const;
  /// The inverse transform times `scale`; inverse(forward(a)) is n · scale · a.
  void inverse(float* row, float* scratch, float scale) const;
  [[nodiscard]] std::uint64_t bytes() const { return turns_.size() * sizeof(float); }

 private:
  // An even row is transformed as n / 2 complex numbers, then its spectrum is taken apart.
  [[nodiscard]] bool halves() const { return n_ % 2 == 0 && n_ >= 8; }

  std::int64_t n_ = 1;
  FftPlan to_, from_;
  AlignedVector<float> turns_;  // exp(−2πi k / n)
};

}  // namespace aprscope::detail
