#include <algorithm>
#include <new>
#include <utility>

#include "core/base/aligned_vector.hpp"
#include "core/deconvolution/blur/dense_blur.hpp"
#include "core/image/cosine_convolution.hpp"

namespace aprscope {
namespace {

class MirrorBlur : public DenseBlur {
 public:
  MirrorBlur(const Size3& size, std::unique_ptr<CosineConvolution> convolution)
      : size_(size),
        convolution_(std::move(convolution)),
        buffer_(static_cast<std::size_t>(size.count())) {}

  [[nodiscard]] const Size3& size() const override { return size_; }

  void put(std::int64_t z, std::int64_t x, const float* values) override {
    std::copy_n(values, size_.y, buffer_.data() + offset(z, x));
  }

  // An even kernel is its own flipped one.
  Status run(bool /*flip*/, const JobContext& context) override {
    return convolution_->apply(buffer_, buffer_, context);
  }

  [[nodiscard]] std::int64_t stored() const override { return size_.y; }

  void add(std::int64_t z, std::int64_t x, float weight, float* sum) const override {
    const float* const from = buffer_.data() + offset(std::clamp<std::int64_t>(z, 0, size_.z - 1),
                                                      std::clamp<std::int64_t>(x, 0, size_.x - 1));
    for (std::int64_t y = 0; y < size_.y; ++y) sum[y] += weight * from[y];
  }

  void unfold(const float* sum, float* row) const override {
    std::copy_n(sum, size_.y, row + 1);
    row[0] = row[1];
    row[size_.y + 1] = row[size_.y];
  }

  [[nodiscard]] std::uint64_t bytes() const override {
    return buffer_.size() * sizeof(float) + convolution_->bytes();
  }

  [[nodiscard]] std::string description() const override {
    return std::to_string(size_.z) + " × " + std::to_string(size_.x) + " × " +
           std::to_string(size_.y) + ", mirrored";
  }

 private:
  [[nodiscard]] std::int64_t offset(std::int64_t z, std::int64_t x) const {
    return (z * size_.x + x) * size_.y;
  }

  Size3 size_;
  std::unique_ptr<CosineConvolution> convolution_;
  AlignedVector<float> buffer_;
};

}  // namespace

Result<std::unique_ptr<DenseBlur>> make_mirror_blur(const Size3& size, const Stencil& kernel) {
  auto convolution = CosineConvolution::create(size, kernel.size, kernel.weights);
  if (!convolution) return convolution.error();
  try {
    return std::unique_ptr<DenseBlur>(std::make_unique<MirrorBlur>(size, *std::move(convolution)));
  } catch (const std::bad_alloc&) {
    return Error{"not enough memory for a grid of " + std::to_string(size.count()) + " cells",
                 "blur", "close other data first"};
  }
}

}  // namespace aprscope
