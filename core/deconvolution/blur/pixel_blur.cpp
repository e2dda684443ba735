#include <cmath>
#include <new>
#include <utility>

#include "core/deconvolution/blur/blur_model.hpp"
#include "core/deconvolution/blur/kernel_split.hpp"
#include "core/deconvolution/blur/labels.hpp"
#include "core/deconvolution/blur/parallel_copy.hpp"
#include "core/filter/repeated_filter.hpp"
#include "core/filter/slab.hpp"
#include "core/image/cosine_convolution.hpp"
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

// How an image continues beyond its borders.
enum class Beyond { zero, edge_reflected, face_mirrored };

std::int64_t image_of(std::int64_t i, std::int64_t n, Beyond beyond) {
  if (beyond == Beyond::edge_reflected) return detail::reflect_index(i, n);
  i = (i % (2 * n) + 2 * n) % (2 * n);
  return i < n ? i : 2 * n - 1 - i;
}

// The indices of n pixels that a padded dimension shows: the pixels, what lies beyond their end,
// and at its own end what lies before their beginning, as a circular convolution needs.
std::vector<std::int64_t> padding(std::int64_t n, std::int64_t radius, std::int64_t padded,
                                  Beyond beyond) {
  std::vector<std::int64_t> shown(static_cast<std::size_t>(padded), -1);
  for (std::int64_t i = 0; i < padded; ++i) {
    std::int64_t& to = shown[static_cast<std::size_t>(i)];
    if (i < n) {
      to = i;
    } else if (beyond != Beyond::zero && i >= padded - radius) {
      to = image_of(i - padded, n, beyond);
    } else if (beyond != Beyond::zero && i < n + radius) {
      to = image_of(i, n, beyond);
    }
  }
  return shown;
}

Size3 padded_size(const Size3& size, const Size3& psf, Beyond beyond) {
  // The zeros behind the end also serve as those before the beginning (circular).
  const auto least = [&](std::int64_t n, std::int64_t extent) {
    return n + (beyond == Beyond::zero ? extent / 2 : 2 * (extent / 2));
  };
  return Fft3::good_size({least(size.z, psf.z), least(size.x, psf.x), least(size.y, psf.y)});
}

class FourierBlur final : public PixelBlur {
 public:
  static Result<std::unique_ptr<BlurModel>> create(const Size3& size, const Stencil& psf,
                                                   Beyond beyond, bool keeps_ones) {
    const Size3 p = padded_size(size, psf.size, beyond);
    Padding padded{padding(size.z, psf.size.z / 2, p.z, beyond),
                   padding(size.x, psf.size.x / 2, p.x, beyond),
                   padding(size.y, psf.size.y / 2, p.y, beyond)};
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

// The flipped PSF is the PSF, and what it makes of ones is their sum everywhere.
class CosineBlur final : public PixelBlur {
 public:
  static Result<std::unique_ptr<BlurModel>> create(const Size3& size, const Stencil& psf,
                                                   bool keeps_ones) {
    auto convolution = CosineConvolution::create(size, psf.size, psf.weights);
    if (!convolution) return convolution.error();
    return std::unique_ptr<BlurModel>(
        new CosineBlur(size, psf.size, keeps_ones, *std::move(convolution)));
  }

  Status forward(std::span<const float> x, std::span<float> y, const JobContext& context) override {
    if (Status ok = check_lengths(count(), x.size(), y.size()); !ok) return ok;
    return convolution_->apply(x, y, JobContext(context.stop_token()));
  }
  Status adjoint(std::span<const float> x, std::span<float> y, const JobContext& context) override {
    return forward(x, y, context);
  }
  bool in_place() const override { return true; }
  std::uint64_t bytes() const override { return convolution_->bytes(); }
  std::string description() const override {
    return extent_text(psf_size_) + ", cosine transform of " + extent_text(size()) + " pixels";
  }

 private:
  CosineBlur(const Size3& size, const Size3& psf_size, bool keeps_ones,
             std::unique_ptr<CosineConvolution> convolution)
      : PixelBlur(size, keeps_ones), psf_size_(psf_size), convolution_(std::move(convolution)) {}

  Size3 psf_size_;
  std::unique_ptr<CosineConvolution> convolution_;
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

Error no_memory(const Size3& size) {
  return {"not enough memory to blur an image of " + extent_text(size) + " pixels", "blur",
          "truncate the PSF, convert to particles, or close other data"};
}

Status check_image(const Size3& size) {
  if (size.z >= 1 && size.x >= 1 && size.y >= 1) return {};
  return Error{"has no pixels", "image", "choose an image with pixels"};
}

Beyond beyond_of(Boundary boundary, PixelBlurMethod method) {
  if (boundary == Boundary::zero) return Beyond::zero;
  return method == PixelBlurMethod::mirrored ? Beyond::face_mirrored : Beyond::edge_reflected;
}

// Whether cosine transforms of the unpadded image work for an even PSF; slow sizes are padded.
bool needs_no_padding(const Size3& size, Beyond beyond) {
  return beyond == Beyond::face_mirrored && CosineConvolution::is_fast(size);
}

}  // namespace

PixelBlurMethod chosen_method(const Stencil& psf, PixelBlurMethod method) {
  if (method != PixelBlurMethod::automatic) return method;
  return passes_are_faster(psf) ? PixelBlurMethod::passes : PixelBlurMethod::mirrored;
}

Result<std::unique_ptr<BlurModel>> make_pixel_blur(const Size3& size, const Stencil& psf,
                                                   Boundary boundary, PixelBlurMethod method) {
  if (Status ok = check(psf); !ok) return ok.error();
  if (Status ok = check_image(size); !ok) return ok.error();
  method = chosen_method(psf, method);
  const bool ones = gives_one_for_one(psf, boundary);
  try {
    if (method == PixelBlurMethod::passes) return PassBlur::create(size, psf, boundary, ones);
    const Beyond beyond = beyond_of(boundary, method);
    if (is_even(psf) && needs_no_padding(size, beyond)) return CosineBlur::create(size, psf, ones);
    return FourierBlur::create(size, psf, beyond, ones);
  } catch (const std::bad_alloc&) {
    return no_memory(size);
  }
}

std::uint64_t transform_blur_bytes(const Size3& size, const Size3& psf, bool even,
                                   Boundary boundary, PixelBlurMethod method) {
  const Beyond beyond = beyond_of(boundary, method);
  // Either factors of cosines, or the buffer of the transforms and the spectrum of the PSF.
  const auto octant = static_cast<std::uint64_t>(psf.count()) / 8;
  const std::uint64_t values =
      even && needs_no_padding(size, beyond)
          ? static_cast<std::uint64_t>(size.count()) + octant
          : 2 * static_cast<std::uint64_t>(padded_size(size, psf, beyond).count());
  return values * sizeof(float);
}

std::uint64_t pixel_blur_bytes(const Size3& size, const Stencil& psf, Boundary boundary) {
  const PixelBlurMethod method = chosen_method(psf, PixelBlurMethod::automatic);
  if (method != PixelBlurMethod::passes) {
    return transform_blur_bytes(size, psf.size, is_even(psf), boundary, method);
  }
  // Input and output images; twice, if the flipped PSF is another one than the PSF.
  const std::uint64_t images = flipped(psf).weights == psf.weights ? 2 : 4;
  return images * static_cast<std::uint64_t>(size.count()) * sizeof(float);
}

}  // namespace aprscope
