#pragma once

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

/// How an image is padded: for each position of the padded image the position of the image that it
/// shows, −1: zero. The image's own positions come first.
struct Padding {
  std::vector<std::int64_t> z, x, y;
  [[nodiscard]] Size3 size() const {
    const auto length = [](const auto& v) { return static_cast<std::int64_t>(v.size()); };
    return {length(z), length(x), length(y)};
  }
};

/// Circular convolution of padded images of one size with one kernel, by Fourier transform
/// (FFTW). Planes and rows of the padding that only repeat others are neither transformed nor
/// stored. Same bits for any number of threads. One thread at a time may use it; it computes on
/// all threads.
class FftConvolution {
 public:
  /// `kernel` has odd sizes `kernel_size` and its origin in its middle. The spectrum of an even one
  /// (its own mirror image in each dimension) takes an eighth of the memory. Errors: a padded size
  /// that cannot be transformed, no memory.
  static Result<std::unique_ptr<FftConvolution>> create(const Size3& image, Padding padding,
                                                        const Size3& kernel_size,
                                                        std::span<const double> kernel);

  /// out = image ∗ kernel, or ∗ the kernel turned round in each dimension; both of the image's
  /// size, and they may be the same. Errors: cancelled.
  Status apply(std::span<const float> image, bool flip, std::span<float> out,
               const JobContext& context);

  [[nodiscard]] Size3 padded() const { return padded_; }
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  FftConvolution(const Size3& image, Padding padding);
  [[nodiscard]] Status make_spectrum(const Size3& size, std::span<const double> kernel);

  template <class Work>
  bool for_each(std::int64_t count, const JobContext& context, const Work& work);
  // The two halves of what is done to a plane of the image.
  void to_spectrum(const float* image, float* plane, float* scratch) const;
  void from_spectrum(float* plane, float* out, float* scratch) const;
  // Column blocks (x, all y) through all planes.
  void multiply(std::int64_t x, bool flip, float* scratch);
  void multiply_block(float* columns, std::int64_t x, std::int64_t y, std::int64_t width,
                      bool flip) const;

  Size3 image_;
  Padding padding_;
  Size3 padded_;
  bool even_ = false;
  std::vector<std::int64_t> all_x_;  // 0, 1, 2 …
  detail::FftRow rows_;
  detail::FftColumns lines_z_, lines_x_;
  std::int64_t row_ = 0;                    // floats of one
  std::int64_t half_ = 0;                   // floats of one of two blocks of columns
  AlignedVector<float> buffer_;             // the image's planes, all of their padded rows
  AlignedVector<float> spectrum_;           // of the kernel
  std::vector<AlignedVector<float>> work_;  // one a thread
};

}  // namespace aprscope
