#include <algorithm>
#include <new>
#include <utility>

#include "core/base/aligned_vector.hpp"
#include "core/base/parallel.hpp"
#include "core/deconvolution/blur/dense_blur.hpp"
#include "core/deconvolution/blur/kernel_split.hpp"
#include "core/image/fft.hpp"

namespace aprscope {
namespace {

// The index of n values shown at position i of a dimension padded to m, reflected about its faces:
// first what is behind the end, then (circularly) what is before the beginning.
std::int64_t mirrored(std::int64_t i, std::int64_t n, std::int64_t m) {
  if (i < n) return i;
  if (i >= n + (m - n + 1) / 2) i -= m;
  i %= 2 * n;
  if (i < 0) i += 2 * n;
  return i < n ? i : 2 * n - 1 - i;
}

std::int64_t wrapped(std::int64_t i, std::int64_t n) { return i < 0 ? i + n : i; }

class PaddedBlur : public DenseBlur {
 public:
  PaddedBlur(const Size3& size, Boundary boundary, std::unique_ptr<Fft3> fft)
      : size_(size),
        boundary_(boundary),
        fft_(std::move(fft)),
        padded_(fft_->size()),
        buffer_(static_cast<std::size_t>(fft_->buffer_count()), 0.0F) {}

  // The spectrum of the kernel with its middle at 0; of an even one it is real.
  Status set_kernel(const Stencil& kernel) {
    const Size3& k = kernel.size;
    std::size_t i = 0;
    for (std::int64_t z = -(k.z / 2); z <= k.z / 2; ++z) {
      for (std::int64_t x = -(k.x / 2); x <= k.x / 2; ++x) {
        float* const row = line(wrapped(z, padded_.z), wrapped(x, padded_.x));
        for (std::int64_t y = -(k.y / 2); y <= k.y / 2; ++y) {
          row[wrapped(y, padded_.y)] += static_cast<float>(kernel.weights[i++]);
        }
      }
    }
    if (Status ok = fft_->forward(buffer_); !ok) return ok;
    real_ = is_even(kernel);
    const std::int64_t complexes = padded_.y / 2 + 1;
    spectrum_.resize(static_cast<std::size_t>(padded_.z * padded_.x * complexes * (real_ ? 1 : 2)));
    parallel_for(padded_.z * padded_.x, thread_count(), [&](std::int64_t r) {
      const float* const from = buffer_.data() + r * fft_->row();
      if (!real_) {
        std::copy_n(from, 2 * complexes, spectrum_.data() + r * 2 * complexes);
        return;
      }
      float* const to = spectrum_.data() + r * complexes;
      for (std::int64_t c = 0; c < complexes; ++c) to[c] = from[2 * c];
    });
    return {};
  }

  [[nodiscard]] const Size3& size() const override { return size_; }

  void put(std::int64_t z, std::int64_t x, const float* values) override {
    float* const to = line(z, x);
    std::copy_n(values, size_.y, to);
    for (std::int64_t y = size_.y; y < padded_.y; ++y) {
      to[y] = boundary_ == Boundary::zero ? 0.0F : values[mirrored(y, size_.y, padded_.y)];
    }
  }

  Status run(bool flip, const JobContext& context) override {
    pad();
    if (Status ok = fft_->forward(buffer_, context); !ok) return ok;
    multiply(flip);
    return fft_->inverse(buffer_, context);
  }

  [[nodiscard]] std::int64_t stored() const override { return size_.y + 2; }

  void add(std::int64_t z, std::int64_t x, float weight, float* sum) const override {
    const float* const from =
        buffer_.data() + (wrapped(z, padded_.z) * padded_.x + wrapped(x, padded_.x)) * fft_->row();
    sum[0] += weight * from[padded_.y - 1];
    for (std::int64_t y = 0; y <= size_.y; ++y) sum[y + 1] += weight * from[y];
  }

  void unfold(const float* sum, float* row) const override { std::copy_n(sum, stored(), row); }

  [[nodiscard]] std::uint64_t bytes() const override {
    return (buffer_.size() + spectrum_.size()) * sizeof(float) + fft_->bytes();
  }

  [[nodiscard]] std::string description() const override {
    return std::to_string(size_.z) + " × " + std::to_string(size_.x) + " × " +
           std::to_string(size_.y) + ", padded to " + std::to_string(padded_.z) + " × " +
           std::to_string(padded_.x) + " × " + std::to_string(padded_.y);
  }

 private:
  float* line(std::int64_t z, std::int64_t x) {
    return buffer_.data() + (z * padded_.x + x) * fft_->row();
  }

  // Fills the rows outside the grid from those that were put.
  void pad() {
    parallel_for(padded_.z * padded_.x, thread_count(), [&](std::int64_t r) {
      const std::int64_t z = r / padded_.x;
      const std::int64_t x = r % padded_.x;
      if (z < size_.z && x < size_.x) return;
      if (boundary_ == Boundary::zero) {
        std::fill_n(line(z, x), padded_.y, 0.0F);
      } else {
        std::copy_n(line(mirrored(z, size_.z, padded_.z), mirrored(x, size_.x, padded_.x)),
                    padded_.y, line(z, x));
      }
    });
  }

  void multiply(bool flip) {
    const std::int64_t complexes = padded_.y / 2 + 1;
    parallel_for(padded_.z * padded_.x, thread_count(), [&](std::int64_t r) {
      float* const to = buffer_.data() + r * fft_->row();
      if (real_) {
        const float* const h = spectrum_.data() + r * complexes;
        for (std::int64_t c = 0; c < complexes; ++c) {
          to[2 * c] *= h[c];
          to[2 * c + 1] *= h[c];
        }
        return;
      }
      const float* const h = spectrum_.data() + r * 2 * complexes;
      const float sign = flip ? -1.0F : 1.0F;
      for (std::int64_t c = 0; c < complexes; ++c) {
        const float re = to[2 * c];
        const float im = to[2 * c + 1];
        const float h_im = sign * h[2 * c + 1];
        to[2 * c] = re * h[2 * c] - im * h_im;
        to[2 * c + 1] = re * h_im + im * h[2 * c];
      }
    });
  }

  Size3 size_;
  Boundary boundary_;
  std::unique_ptr<Fft3> fft_;
  Size3 padded_;
  bool real_ = false;
  AlignedVector<float> buffer_;
  AlignedVector<float> spectrum_;
};

}  // namespace

Result<std::unique_ptr<DenseBlur>> make_padded_blur(const Size3& size, const Stencil& kernel,
                                                    Boundary boundary) {
  // add() reads one value more than the grid on each side, hence a radius larger by 1.
  const auto needed = [&](std::int64_t n, std::int64_t kernel_size) {
    const std::int64_t radius = kernel_size / 2 + 1;
    return std::max(n + (boundary == Boundary::zero ? radius : 2 * radius), kernel_size);
  };
  const Size3 least{needed(size.z, kernel.size.z), needed(size.x, kernel.size.x),
                    needed(size.y, kernel.size.y)};
  auto fft = Fft3::create(Fft3::good_size(least));
  if (!fft) return fft.error();
  try {
    auto blur = std::make_unique<PaddedBlur>(size, boundary, *std::move(fft));
    if (Status ok = blur->set_kernel(kernel); !ok) return ok.error();
    return std::unique_ptr<DenseBlur>(std::move(blur));
  } catch (const std::bad_alloc&) {
    return Error{"not enough memory for a grid of " + std::to_string(least.count()) + " cells",
                 "blur", "choose a smaller PSF or the lean scheme, or close other data first"};
  }
}

Result<std::unique_ptr<DenseBlur>> make_dense_blur(const Size3& size, const Stencil& kernel,
                                                   Boundary boundary) {
  if (boundary == Boundary::reflect && is_even(kernel)) return make_mirror_blur(size, kernel);
  return make_padded_blur(size, kernel, boundary);
}

}  // namespace aprscope
