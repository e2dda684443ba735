#include "core/deconvolution/iterate/regulariser.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include "core/deconvolution/blur/parallel_copy.hpp"
#include "core/deconvolution/blur/shared_filter.hpp"
#include "core/deconvolution/iterate/iteration_limits.hpp"
#include "core/filter/repeated_filter.hpp"

namespace aprscope {
namespace {

class OnParticles final : public Regulariser {
 public:
  OnParticles(Regularisation kind, std::shared_ptr<const AprAccess> access,
              std::shared_ptr<BlurShares> shares)
      : kind_(kind),
        access_(std::move(access)),
        shares_(std::move(shares)),
        tree_(access_->tree().count()) {}

  Status make_filter() {
    auto made =
        kind_ == Regularisation::total_variation
            ? repeated_variation(access_, &edge_, Boundary::reflect, own_slices(shares_.get()))
            : repeated_laplacian(access_, own_slices(shares_.get()));
    if (!made) return made.error();
    filter_ = *std::move(made);
    return {};
  }

  Status term(std::span<const float> x, float scale, std::span<float> out,
              const JobContext& context) override {
    edge_ = variation_edge(scale);
    if (Status done = filter_shared(*access_, *filter_, shares_.get(), x, tree_, out, context);
        !done) {
      return done;
    }
    if (kind_ == Regularisation::tikhonov_miller) copy_scaled(out, 1.0F / scale, out);
    return {};
  }
  std::uint64_t bytes() const override { return tree_.size() * sizeof(float) + filter_->bytes(); }

 private:
  Regularisation kind_;
  std::shared_ptr<const AprAccess> access_;
  std::shared_ptr<BlurShares> shares_;
  float edge_ = kVariationEdge;
  std::vector<float> tree_;
  std::unique_ptr<ParticleFilter> filter_;
};

class OnPixels final : public Regulariser {
 public:
  explicit OnPixels(Regularisation kind) : kind_(kind) {}

  Status make_filter(const Size3& size) {
    auto made = kind_ == Regularisation::total_variation
                    ? repeated_variation(size, &edge_, Boundary::reflect)
                    : repeated_convolution(size, laplacian_stencil(), Boundary::reflect);
    if (!made) return made.error();
    filter_ = *std::move(made);
    return {};
  }

  Status term(std::span<const float> x, float scale, std::span<float> out,
              const JobContext& context) override {
    if (x.size() != filter_->input().size() || out.size() != x.size()) {
      return Error{"there is not one value a pixel", "regularisation",
                   "use values of the same image"};
    }
    edge_ = variation_edge(scale);
    copy_scaled(x, 1.0F, filter_->input());
    if (Status done = filter_->apply(JobContext(context.stop_token())); !done) return done;
    const float factor = kind_ == Regularisation::tikhonov_miller ? 1.0F / scale : 1.0F;
    copy_scaled(filter_->output(), factor, out);
    return {};
  }
  std::uint64_t bytes() const override { return filter_->bytes(); }

 private:
  Regularisation kind_;
  float edge_ = kVariationEdge;
  std::unique_ptr<PixelFilter> filter_;
};

Error no_memory() {
  return {"not enough memory to regularise", "deconvolution",
          "switch the regularisation off or close other data"};
}

}  // namespace

float variation_edge(float scale) {
  return std::max(kVariationEdge * scale, kSmallestVariationEdge);
}

Result<std::unique_ptr<ParticleFilter>> repeated_laplacian(std::shared_ptr<const AprAccess> access,
                                                           std::optional<SliceSpan> slices,
                                                           int finer_levels) {
  std::vector<Stencil> stencils;
  for (int l = 0; l <= access->level_max(); ++l) {
    const double side = std::ldexp(1.0, access->level_max() + finer_levels - l);
    stencils.push_back(laplacian_stencil({side, side, side}));
  }
  auto pyramid = StencilPyramid::from_levels(std::move(stencils));
  if (!pyramid) return pyramid.error();
  return repeated_convolution(std::move(access), *pyramid, Boundary::reflect, slices);
}

Result<std::unique_ptr<Regulariser>> make_pixel_regulariser(Regularisation kind,
                                                            const Size3& size) {
  if (kind == Regularisation::none) return std::unique_ptr<Regulariser>();
  try {
    auto made = std::make_unique<OnPixels>(kind);
    if (Status ok = made->make_filter(size); !ok) return ok.error();
    return std::unique_ptr<Regulariser>(std::move(made));
  } catch (const std::bad_alloc&) {
    return no_memory();
  }
}

Result<std::unique_ptr<Regulariser>> make_particle_regulariser(
    Regularisation kind, std::shared_ptr<const AprAccess> access,
    std::shared_ptr<BlurShares> shares) {
  if (kind == Regularisation::none) return std::unique_ptr<Regulariser>();
  try {
    auto made = std::make_unique<OnParticles>(kind, std::move(access), std::move(shares));
    if (Status ok = made->make_filter(); !ok) return ok.error();
    return std::unique_ptr<Regulariser>(std::move(made));
  } catch (const std::bad_alloc&) {
    return no_memory();
  }
}

}  // namespace aprscope
