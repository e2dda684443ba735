#include <cmath>
#include <new>
#include <utility>

#include "core/apr/parallel.hpp"
#include "core/base/aligned_vector.hpp"
#include "core/deconvolution/blur_model.hpp"
#include "core/deconvolution/labels.hpp"
#include "core/deconvolution/parallel_copy.hpp"
#include "core/filter/repeated_filter.hpp"
#include "core/filter/slab.hpp"
#include "core/image/fft.hpp"

namespace aprscope {
namespace {

Status check_lengths(std::size_t count, std::size_t x, std::size_t y) {
  if (x == count && y == count) return {};
  return Error{"there is not one value a pixel", "blur", "use values of the same image"};
}

class PixelBlur : public BlurModel {
 public:
  PixelBlur(const Size3& size, bool keeps_ones)
      : size_(size),
        keeps_ones_(keeps_ones),
        weights_{{static_cast<std::uint64_t>(size.count()), 1.0}} {}

  std::size_t count() const override { return static_cast<std::size_t>(size_.count()); }
  std::span<const WeightRun> weights() const override { return weights_; }
  bool keeps_ones() const override { return keeps_ones_; }

 protected:
  [[nodiscard]] const Size3& size() const { return size_; }

 private:
  Size3 size_;
  bool keeps_ones_;
  std::vector<WeightRun> weights_;
};

// The image lies at the beginning of a padded one, what is beyond its end behind it, and what is
// before its beginning at the padded one's end, where convolution finds it.
class FourierBlur final : public PixelBlur {
 public:
  static Result<std::unique_ptr<BlurModel>> create(const Size3& size, const Stencil& psf,
                                                   Boundary boundary, bool keeps_ones) {
    const Size3 radius{psf.size.z / 2, psf.size.x / 2, psf.size.y / 2};
    auto fft = Fft3::create(
        Fft3::good_size({size.z + 2 * radius.z, size.x + 2 * radius.x, size.y + 2 * radius.y}));
    if (!fft) return fft.error();
    auto blur = std::unique_ptr<FourierBlur>(
        new FourierBlur(size, radius, boundary, keeps_ones, *std::move(fft)));
    blur->psf_size_ = psf.size;
    if (Status done = blur->transform(psf); !done) return done.error();
    return std::unique_ptr<BlurModel>(std::move(blur));
  }

  Status forward(std::span<const float> x, std::span<float> y, const JobContext& context) override {
    return apply(x, y, false, context);
  }
  Status adjoint(std::span<const float> x, std::span<float> y, const JobContext& context) override {
    return apply(x, y, true, context);
  }
  bool in_place() const override { return true; }
  std::uint64_t bytes() const override {
    return (buffer_.size() + spectrum_.size()) * sizeof(float) + fft_->bytes();
  }
  std::string description() const override {
    return extent_text(psf_size_) + ", FFT of " + extent_text(fft_->size()) + " pixels";
  }

 private:
  FourierBlur(const Size3& size, const Size3& radius, Boundary boundary, bool keeps_ones,
              std::unique_ptr<Fft3> fft)
      : PixelBlur(size, keeps_ones), radius_(radius), boundary_(boundary), fft_(std::move(fft)) {
    const auto n = static_cast<std::size_t>(fft_->buffer_count());
    buffer_.resize(n);
    spectrum_.resize(n);
  }

  Status transform(const Stencil& psf) {
    const Size3& p = fft_->size();
    const auto wrapped = [](std::int64_t i, std::int64_t radius, std::int64_t n) {
      return (i - radius + n) % n;
    };
    std::size_t i = 0;
    for (std::int64_t z = 0; z < psf.size.z; ++z) {
      for (std::int64_t x = 0; x < psf.size.x; ++x) {
        for (std::int64_t y = 0; y < psf.size.y; ++y) {
          const std::int64_t row = wrapped(z, radius_.z, p.z) * p.x + wrapped(x, radius_.x, p.x);
          spectrum_[static_cast<std::size_t>(row * fft_->row() + wrapped(y, radius_.y, p.y))] +=
              static_cast<float>(psf.weights[i++]);
        }
      }
    }
    return fft_->forward(spectrum_);
  }

  // The image's row that lies at position i of a padded dimension; −1: zeros.
  [[nodiscard]] std::int64_t source(std::int64_t i, std::int64_t n, std::int64_t padded,
                                    std::int64_t radius) const {
    if (i < n) return i;
    const bool before = i >= padded - radius;
    if (boundary_ == Boundary::zero || !(before || i < n + radius)) return -1;
    return detail::reflect_index(before ? i - padded : i, n);
  }

  bool pad(std::span<const float> x, const JobContext& context) {
    const Size3& n = size();
    const Size3& p = fft_->size();
    return parallel_rows({p.z, p.x, 1}, thread_count(), JobContext(context.stop_token()), "blur",
                         [&](std::int64_t pz, std::int64_t px, int) {
                           float* const to = buffer_.data() + (pz * p.x + px) * fft_->row();
                           const std::int64_t z = source(pz, n.z, p.z, radius_.z);
                           const std::int64_t row = source(px, n.x, p.x, radius_.x);
                           if (z < 0 || row < 0) {
                             std::fill(to, to + fft_->row(), 0.0F);
                             return;
                           }
                           const float* const from = x.data() + (z * n.x + row) * n.y;
                           std::copy_n(from, n.y, to);
                           for (std::int64_t i = n.y; i < p.y; ++i) {
                             const std::int64_t y = source(i, n.y, p.y, radius_.y);
                             to[i] = y < 0 ? 0.0F : from[y];
                           }
                         });
  }

  Status apply(std::span<const float> x, std::span<float> y, bool conjugate,
               const JobContext& context) {
    if (Status ok = check_lengths(count(), x.size(), y.size()); !ok) return ok;
    if (!pad(x, context)) return cancelled_error();
    const JobContext quiet(context.stop_token());
    if (Status done = fft_->filter(buffer_, spectrum_, conjugate, quiet); !done) return done;
    const Size3& n = size();
    const bool done = parallel_rows(
        {n.z, n.x, 1}, thread_count(), quiet, "blur", [&](std::int64_t z, std::int64_t row, int) {
          const float* const from = buffer_.data() + (z * fft_->size().x + row) * fft_->row();
          std::copy_n(from, n.y, y.data() + (z * n.x + row) * n.y);
        });
    return done ? Status() : cancelled_error();
  }

  Size3 radius_;
  Size3 psf_size_;
  Boundary boundary_;
  std::unique_ptr<Fft3> fft_;
  AlignedVector<float> buffer_;
  AlignedVector<float> spectrum_;
};

class PassBlur final : public PixelBlur {
 public:
  static Result<std::unique_ptr<BlurModel>> create(const Size3& size, const Stencil& psf,
                                                   Boundary boundary, bool keeps_ones) {
    const Stencil turned = flipped(psf);
    auto to = repeated_convolution(size, turned, boundary);
    if (!to) return to.error();
    std::unique_ptr<PixelFilter> back;
    if (turned.weights != psf.weights) {
      auto made = repeated_convolution(size, psf, boundary);
      if (!made) return made.error();
      back = *std::move(made);
    }
    return std::unique_ptr<BlurModel>(
        new PassBlur(size, psf, keeps_ones, *std::move(to), std::move(back)));
  }

  Status forward(std::span<const float> x, std::span<float> y, const JobContext& context) override {
    return apply(*to_, x, y, context);
  }
  Status adjoint(std::span<const float> x, std::span<float> y, const JobContext& context) override {
    return apply(back_ ? *back_ : *to_, x, y, context);
  }
  bool in_place() const override { return true; }
  std::uint64_t bytes() const override { return to_->bytes() + (back_ ? back_->bytes() : 0); }
  std::string description() const override {
    return extent_text(psf_size_) + (separable_ ? ", three passes over pixels" : ", over pixels");
  }

 private:
  PassBlur(const Size3& size, const Stencil& psf, bool keeps_ones, std::unique_ptr<PixelFilter> to,
           std::unique_ptr<PixelFilter> back)
      : PixelBlur(size, keeps_ones),
        psf_size_(psf.size),
        separable_(separate(psf).has_value()),
        to_(std::move(to)),
        back_(std::move(back)) {}

  Status apply(PixelFilter& filter, std::span<const float> x, std::span<float> y,
               const JobContext& context) const {
    if (Status ok = check_lengths(count(), x.size(), y.size()); !ok) return ok;
    copy_scaled(x, 1.0F, filter.input());
    if (Status done = filter.apply(JobContext(context.stop_token())); !done) return done;
    copy_scaled(filter.output(), 1.0F, y);
    return {};
  }

  Size3 psf_size_;
  bool separable_;
  std::unique_ptr<PixelFilter> to_;
  std::unique_ptr<PixelFilter> back_;
};

// Passes cost as many products as their taps; a transform there and back about as much as this.
bool passes_are_faster(const Stencil& psf) {
  constexpr std::int64_t kTransform = 150;
  if (separate(psf)) return psf.size.z + psf.size.x + psf.size.y <= kTransform;
  return psf.size.count() <= kTransform;
}

}  // namespace

Result<std::unique_ptr<BlurModel>> make_pixel_blur(const Size3& size, const Stencil& psf,
                                                   Boundary boundary, PixelBlurMethod method) {
  if (Status ok = check(psf); !ok) return ok.error();
  if (size.z < 1 || size.x < 1 || size.y < 1) {
    return Error{"has no pixels", "image", "choose an image with pixels"};
  }
  const bool keeps_ones = boundary == Boundary::reflect && std::abs(psf.sum() - 1.0) < 1e-6;
  if (method == PixelBlurMethod::automatic) {
    method = passes_are_faster(psf) ? PixelBlurMethod::passes : PixelBlurMethod::fft;
  }
  try {
    return method == PixelBlurMethod::fft ? FourierBlur::create(size, psf, boundary, keeps_ones)
                                          : PassBlur::create(size, psf, boundary, keeps_ones);
  } catch (const std::bad_alloc&) {
    return Error{"not enough memory to blur an image of " + extent_text(size) + " pixels", "blur",
                 "truncate the PSF, convert to particles, or close other data"};
  }
}

}  // namespace aprscope
