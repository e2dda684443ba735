#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/aligned_vector.hpp"
#include "core/base/parallel.hpp"
#include "core/image/fft.hpp"

namespace aprscope {

/// The Fourier transform of a cubic map: frequencies (kz, ky, kx) in cycles a side, the half with
/// kx ≥ 0 (x: the fastest axis, see orientation.hpp for the axes). Not scaled. The map's first
/// voxel is the origin; all uses depend on |k| alone, so that no centre is needed.
class MapSpectrum {
 public:
  /// The spectrum of `side`³ values. Errors: another number of values, no memory, cancelled.
  static Result<MapSpectrum> of(std::span<const float> map, std::int64_t side,
                                const JobContext& context = {});
  /// A spectrum of zeros, to be filled. Errors: no memory.
  static Result<MapSpectrum> zeros(std::int64_t side);

  [[nodiscard]] std::int64_t side() const { return side_; }
  /// Shells 0 … side / 2.
  [[nodiscard]] std::int64_t shell_count() const { return side_ / 2 + 1; }
  /// Length of a row: kx = 0 … side / 2.
  [[nodiscard]] std::int64_t row_length() const { return side_ / 2 + 1; }
  /// The frequency of place i of an axis, −side/2 … side/2.
  [[nodiscard]] std::int64_t frequency(std::int64_t i) const {
    return 2 * i <= side_ ? i : i - side_;
  }
  /// How many frequencies the number at kx stands for: its conjugate is one unless it is stored.
  [[nodiscard]] double multiplicity(std::int64_t kx) const {
    return kx == 0 || 2 * kx == side_ ? 1.0 : 2.0;
  }
  [[nodiscard]] std::complex<float>* row(std::int64_t z, std::int64_t y) {
    return reinterpret_cast<std::complex<float>*>(buffer_.data() + (z * side_ + y) * fft_->row());
  }
  [[nodiscard]] const std::complex<float>* row(std::int64_t z, std::int64_t y) const {
    return reinterpret_cast<const std::complex<float>*>(buffer_.data() +
                                                        (z * side_ + y) * fft_->row());
  }

  /// A spectrum of its own with the same numbers.
  [[nodiscard]] Result<MapSpectrum> copy() const;
  /// Multiplies every number by factor(|k|), |k| in cycles a side (√3/2 · side at most).
  template <class Factor>
  void multiply(const Factor& factor);
  /// The inverse transform; the spectrum is used up. Errors: cancelled, no memory.
  Result<std::vector<float>> to_map(const JobContext& context = {}) &&;

 private:
  /// Zeros become the spectrum of a map.
  Status fill(std::span<const float> map, const JobContext& context);

  std::int64_t side_ = 0;
  std::unique_ptr<Fft3> fft_;
  AlignedVector<float> buffer_;
};

/// The shell of a squared frequency: round(|k|).
inline std::int64_t shell_of(std::int64_t squared) {
  return std::llround(std::sqrt(static_cast<double>(squared)));
}

template <class Factor>
void MapSpectrum::multiply(const Factor& factor) {
  parallel_for(side_, threads_for(side_ * side_ * side_), [&](std::int64_t z) {
    const std::int64_t kz = frequency(z);
    for (std::int64_t y = 0; y < side_; ++y) {
      const std::int64_t ky = frequency(y);
      std::complex<float>* const numbers = row(z, y);
      for (std::int64_t kx = 0; kx < row_length(); ++kx) {
        const auto squared = static_cast<double>(kz * kz + ky * ky + kx * kx);
        numbers[kx] *= static_cast<float>(factor(std::sqrt(squared)));
      }
    }
  });
}

}  // namespace aprscope
