#include <cmath>
#include <new>
#include <utility>

#include "core/deconvolution/blur/blur_model.hpp"
#include "core/deconvolution/blur/labels.hpp"
#include "core/deconvolution/blur/shared_filter.hpp"
#include "core/filter/repeated_filter.hpp"

namespace aprscope {
namespace {

class ParticleBlur final : public BlurModel {
 public:
  // `back` is null where the PSF is its own mirror image.
  ParticleBlur(std::shared_ptr<const AprAccess> access, const Stencil& psf, bool keeps_ones,
               std::unique_ptr<ParticleFilter> to, std::unique_ptr<ParticleFilter> back,
               std::shared_ptr<BlurShares> shares)
      : access_(std::move(access)),
        shares_(std::move(shares)),
        keeps_ones_(keeps_ones),
        weights_(cell_volumes(*access_)),
        tree_(access_->tree().count()),
        to_(std::move(to)),
        back_(std::move(back)),
        description_(describe_particle_blur(psf)) {
    static_cast<void>(access_->interior());  // made here, not in the first iteration
  }

  std::size_t count() const override { return access_->count(); }
  std::span<const WeightRun> weights() const override { return weights_; }
  bool keeps_ones() const override { return keeps_ones_; }

  Status forward(std::span<const float> x, std::span<float> y, const JobContext& context) override {
    return apply(*to_, x, y, context);
  }
  Status adjoint(std::span<const float> x, std::span<float> y, const JobContext& context) override {
    return apply(back_ ? *back_ : *to_, x, y, context);
  }
  std::uint64_t bytes() const override {
    return tree_.size() * sizeof(float) + weights_.size() * sizeof(WeightRun) + to_->bytes() +
           (back_ ? back_->bytes() : 0);
  }
  std::string description() const override { return description_; }

 private:
  Status apply(ParticleFilter& filter, std::span<const float> x, std::span<float> y,
               const JobContext& context) {
    return filter_shared(*access_, filter, shares_.get(), x, tree_, y, context);
  }

  std::shared_ptr<const AprAccess> access_;
  std::shared_ptr<BlurShares> shares_;
  bool keeps_ones_;
  std::vector<WeightRun> weights_;
  std::vector<float> tree_;
  std::unique_ptr<ParticleFilter> to_;
  std::unique_ptr<ParticleFilter> back_;
  std::string description_;
};

Result<std::unique_ptr<ParticleFilter>> make_filter(const std::shared_ptr<const AprAccess>& access,
                                                    const Stencil& stencil, StencilMode mode,
                                                    Boundary boundary, const BlurShares* shares) {
  auto pyramid = StencilPyramid::create(stencil, mode, false, access->level_max());
  if (!pyramid) return pyramid.error();
  return repeated_convolution(access, *pyramid, boundary, own_slices(shares));
}

}  // namespace

std::string describe_particle_blur(const Stencil& psf) {
  return extent_text(psf.size) + (separate(psf) ? ", separable" : "") + ", on particles";
}

Result<std::unique_ptr<BlurModel>> make_particle_blur(std::shared_ptr<const AprAccess> access,
                                                      const Stencil& psf, StencilMode mode,
                                                      Boundary boundary,
                                                      std::shared_ptr<BlurShares> shares) {
  if (Status ok = check(psf); !ok) return ok.error();
  if (mode == StencilMode::rescaled) {
    return Error{"a PSF is not a gradient", "blur", "restrict it to coarser levels"};
  }
  try {
    const Stencil turned = flipped(psf);
    auto to = make_filter(access, turned, mode, boundary, shares.get());
    if (!to) return to.error();
    std::unique_ptr<ParticleFilter> back;
    if (turned.weights != psf.weights) {
      auto made = make_filter(access, psf, mode, boundary, shares.get());
      if (!made) return made.error();
      back = *std::move(made);
    }
    const bool keeps_ones = gives_one_for_one(psf, boundary);
    return std::unique_ptr<BlurModel>(std::make_unique<ParticleBlur>(
        std::move(access), psf, keeps_ones, *std::move(to), std::move(back), std::move(shares)));
  } catch (const std::bad_alloc&) {
    return Error{
        "not enough memory to blur " + std::to_string(access ? access->count() : 0) + " particles",
        "blur", "use a smaller PSF or close other data"};
  }
}

}  // namespace aprscope
