#include <new>
#include <utility>

#include "core/base/aligned_vector.hpp"
#include "core/deconvolution/cosine_spectrum.hpp"
#include "core/deconvolution/dense_blur.hpp"
#include "core/image/fft.hpp"

namespace aprscope {
namespace {

// Where value i of n is stored: even ones first, then the odd ones backwards.
std::int64_t place(std::int64_t i, std::int64_t n) { return i % 2 == 0 ? i / 2 : n - 1 - i / 2; }

class MirrorBlur : public DenseBlur {
 public:
  MirrorBlur(const Size3& size, const Stencil& kernel, std::unique_ptr<Fft3> fft)
      : size_(size),
        spectrum_(size, kernel),
        fft_(std::move(fft)),
        buffer_(static_cast<std::size_t>(fft_->buffer_count())) {}

  [[nodiscard]] const Size3& size() const override { return size_; }

  void put(std::int64_t z, std::int64_t x, const float* values) override {
    float* const to = buffer_.data() + offset(z, x);
    for (std::int64_t y = 0; 2 * y < size_.y; ++y) to[y] = values[2 * y];
    for (std::int64_t y = 0; 2 * y + 1 < size_.y; ++y) to[size_.y - 1 - y] = values[2 * y + 1];
  }

  // An even kernel is its own flipped one.
  Status run(bool /*flip*/, const JobContext& context) override {
    if (Status ok = fft_->forward(buffer_, context); !ok) return ok;
    spectrum_.multiply(buffer_.data(), fft_->row());
    return fft_->inverse(buffer_, context);
  }

  [[nodiscard]] std::int64_t stored() const override { return size_.y; }

  void add(std::int64_t z, std::int64_t x, float weight, float* sum) const override {
    const float* const from = buffer_.data() + offset(std::clamp<std::int64_t>(z, 0, size_.z - 1),
                                                      std::clamp<std::int64_t>(x, 0, size_.x - 1));
    for (std::int64_t y = 0; y < size_.y; ++y) sum[y] += weight * from[y];
  }

  void unfold(const float* sum, float* row) const override {
    float* const out = row + 1;
    for (std::int64_t y = 0; 2 * y < size_.y; ++y) out[2 * y] = sum[y];
    for (std::int64_t y = 0; 2 * y + 1 < size_.y; ++y) out[2 * y + 1] = sum[size_.y - 1 - y];
    out[-1] = out[0];
    out[size_.y] = out[size_.y - 1];
  }

  [[nodiscard]] std::uint64_t bytes() const override {
    return buffer_.size() * sizeof(float) + spectrum_.bytes() + fft_->bytes();
  }

  [[nodiscard]] std::string description() const override {
    return std::to_string(size_.z) + " × " + std::to_string(size_.x) + " × " +
           std::to_string(size_.y) + ", mirrored";
  }

 private:
  [[nodiscard]] std::int64_t offset(std::int64_t z, std::int64_t x) const {
    return (place(z, size_.z) * size_.x + place(x, size_.x)) * fft_->row();
  }

  Size3 size_;
  CosineSpectrum spectrum_;
  std::unique_ptr<Fft3> fft_;
  AlignedVector<float> buffer_;
};

}  // namespace

Result<std::unique_ptr<DenseBlur>> make_mirror_blur(const Size3& size, const Stencil& kernel) {
  auto fft = Fft3::create(size);
  if (!fft) return fft.error();
  try {
    return std::unique_ptr<DenseBlur>(std::make_unique<MirrorBlur>(size, kernel, *std::move(fft)));
  } catch (const std::bad_alloc&) {
    return Error{"not enough memory for a grid of " + std::to_string(size.count()) + " cells",
                 "blur", "close other data first"};
  }
}

}  // namespace aprscope
