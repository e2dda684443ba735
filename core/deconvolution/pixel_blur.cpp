#include <cmath>
#include <new>
#include <utility>

#include "core/deconvolution/blur_model.hpp"
#include "core/deconvolution/labels.hpp"
#include "core/deconvolution/parallel_copy.hpp"
#include "core/filter/repeated_filter.hpp"
#include "core/filter/slab.hpp"
#include "core/image/fft.hpp"
#include "core/image/fft_convolution.hpp"

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

// What a padded dimension shows of n pixels: behind them what is beyond their end, and at its own
// end, where a circular convolution finds it, what is before their beginning.
std::vector<std::int64_t> padding(std::int64_t n, std::int64_t radius, std::int64_t padded,
                                  Boundary boundary) {
  std::vector<std::int64_t> shown(static_cast<std::size_t>(padded), -1);
  for (std::int64_t i = 0; i < padded; ++i) {
    std::int64_t& to = shown[static_cast<std::size_t>(i)];
    if (i < n) {
      to = i;
    } else if (boundary == Boundary::reflect && i >= padded - radius) {
      to = detail::reflect_index(i - padded, n);
    } else if (boundary == Boundary::reflect && i < n + radius) {
      to = detail::reflect_index(i, n);
    }
  }
  return shown;
}

class FourierBlur final : public PixelBlur {
 public:
  static Result<std::unique_ptr<BlurModel>> create(const Size3& size, const Stencil& psf,
                                                   Boundary boundary, bool keeps_ones) {
    // Zeros are as good behind the end as before the beginning.
    const auto least = [&](std::int64_t n, std::int64_t extent) {
      return n + (boundary == Boundary::zero ? extent / 2 : 2 * (extent / 2));
    };
    const Size3 p = Fft3::good_size(
        {least(size.z, psf.size.z), least(size.x, psf.size.x), least(size.y, psf.size.y)});
    Padding padded{padding(size.z, psf.size.z / 2, p.z, boundary),
                   padding(size.x, psf.size.x / 2, p.x, boundary),
                   padding(size.y, psf.size.y / 2, p.y, boundary)};
    auto convolution = FftConvolution::create(size, std::move(padded), psf.size, psf.weights);
    if (!convolution) return convolution.error();
    return std::unique_ptr<BlurModel>(
        new FourierBlur(size, psf.size, keeps_ones, *std::move(convolution)));
  }

  Status forward(std::span<const float> x, std::span<float> y, const JobContext& context) override {
    return apply(x, y, false, context);
  }
  Status adjoint(std::span<const float> x, std::span<float> y, const JobContext& context) override {
    return apply(x, y, true, context);
  }
  bool in_place() const override { return true; }
  std::uint64_t bytes() const override { return convolution_->bytes(); }
  std::string description() const override {
    return extent_text(psf_size_) + ", FFT of " + extent_text(convolution_->padded()) + " pixels";
  }

 private:
  FourierBlur(const Size3& size, const Size3& psf_size, bool keeps_ones,
              std::unique_ptr<FftConvolution> convolution)
      : PixelBlur(size, keeps_ones), psf_size_(psf_size), convolution_(std::move(convolution)) {}

  Status apply(std::span<const float> x, std::span<float> y, bool flip, const JobContext& context) {
    if (Status ok = check_lengths(count(), x.size(), y.size()); !ok) return ok;
    return convolution_->apply(x, flip, y, JobContext(context.stop_token()));
  }

  Size3 psf_size_;
  std::unique_ptr<FftConvolution> convolution_;
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
