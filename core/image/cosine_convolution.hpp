#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/aligned_vector.hpp"
#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/image/fft_lines.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// Convolution of images of one size with one even kernel, mirrored about the faces of the image (…
/// 1 0 0 1 …), as a product of cosine transforms (DCT-II), which needs no padding: it works in the
/// memory of its result. Each transform is a Fourier transform (FFTW) of the line's own length
/// (Makhoul 1980). As the convolution is its own transpose, flux is kept to rounding. Same bits for
/// any number of threads. One thread at a time may use it; it computes on all threads.
class CosineConvolution {
 public:
  /// `kernel` has odd sizes `kernel_size` and its origin in its middle; it may be larger than the
  /// image. What it holds its octant for. Errors: no memory, no plan.
  static Result<std::unique_ptr<CosineConvolution>> create(const Size3& image,
                                                           const Size3& kernel_size,
                                                           std::span<const double> kernel);
  /// True where every dimension of the image is transformed fast; others are right, but slow.
  static bool is_fast(const Size3& image);

  /// out = image ∗ kernel; both of the image's size, and they may be the same. Errors: cancelled.
  Status apply(std::span<const float> image, std::span<float> out, const JobContext& context);

  [[nodiscard]] std::uint64_t bytes() const;

 private:
  explicit CosineConvolution(const Size3& image);
  void make_factors(const Size3& size, std::span<const double> kernel);

  template <class Work>
  bool for_each(std::int64_t count, const JobContext& context, const Work& work);
  void to_cosines(const float* image, float* plane, float* scratch) const;
  void from_cosines(float* plane, float* scratch) const;
  void multiply(float* volume, std::int64_t x, float* scratch) const;
  void row_to_cosines(const float* from, float* row, float* scratch) const;
  void row_from_cosines(float* row, float* scratch) const;
  // Σ_j kernel(j) Π cos(π k j / n) for all z of a block of columns at (x, y).
  void factors(std::int64_t x, std::int64_t y, float* to) const;

  using Turns = std::vector<std::complex<float>>;  // exp(−iπk / 2n)

  Size3 image_;
  detail::FftRow rows_;
  detail::FftColumns lines_z_, lines_x_;
  Turns turns_z_, turns_x_;
  AlignedVector<float> turns_y_;
  std::int64_t half_ = 0;      // floats of one block of columns
  std::int64_t row_work_ = 0;  // floats of a row's spectrum
  /// Factors. Short kernels: sums over z and x, `taps_` for each (z, x), and cosines along y; other
  /// kernels: a factor for each position of the image.
  std::int64_t taps_ = 0;
  AlignedVector<float> factors_;
  AlignedVector<float> cosines_y_;
  std::vector<AlignedVector<float>> work_;  // one a thread
};

}  // namespace aprscope
