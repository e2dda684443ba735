#include "core/operations/deconvolve/deconvolution_models.hpp"

#include <algorithm>
#include <utility>

#include "core/deconvolution/blur/blur_shares.hpp"
#include "core/deconvolution/blur/kernel_split.hpp"
#include "core/maps/axis_fsc.hpp"

namespace aprscope {
namespace {

// A back projector is sharper than a PSF, and its far part loses more of it.
constexpr double kSharpTolerance = 0.05;

bool needs_far_part(const DeconvolutionPlan& plan, const Stencil& kernel) {
  // A stencil that costs no more than a near part and the rest is used as it is.
  constexpr std::int64_t kSmall = 7 * 7 * 7;
  return plan.scheme != DeconvolutionScheme::truncated && kernel.size.count() > kSmall &&
         !separate(kernel);
}

Result<std::unique_ptr<BlurModel>> particle_blur_by(const DeconvolutionPlan& plan,
                                                    const Stencil& kernel,
                                                    const std::optional<FullPsfOptions>& full,
                                                    const Dataset& input) {
  if (!full) {
    return make_particle_blur(input.apr().access, kernel, StencilMode::restricted, plan.boundary,
                              plan.options.shares);
  }
  auto blur = make_full_psf_blur(input.apr().access, kernel, *full);
  if (!blur) return blur.error();
  return std::unique_ptr<BlurModel>(*std::move(blur));
}

// Values that the far part of a kernel of this size takes on particles: grid, spectrum and kernels,
// on a grid of half the size, or of a quarter.
std::uint64_t far_values(const DeconvolutionPlan& plan, const Size3& grid, const Size3& size) {
  const auto far =
      static_cast<std::uint64_t>(Size3{grid.z + size.z, grid.x + size.x, grid.y + size.y}.count());
  return plan.scheme == DeconvolutionScheme::lean ? far / 16 : far / 2;
}

std::uint64_t back_projector_bytes(const DeconvolutionPlan& plan, const Dataset& input) {
  if (!plan.back_projector) return 0;
  const Size3 size = size_of_back_projector(plan, input);
  // Weights in double precision, and the transform that makes them.
  const std::uint64_t made = 5 * static_cast<std::uint64_t>(size.count()) * sizeof(float);
  if (input.is_apr()) {
    return made + (plan.scheme == DeconvolutionScheme::truncated
                       ? 0
                       : far_values(plan, input.size(), size) * sizeof(float));
  }
  return made + transform_blur_bytes(input.size(), size, is_even(plan.psf), plan.boundary,
                                     back_projector_method(plan));
}

}  // namespace

Size3 size_of_back_projector(const DeconvolutionPlan& plan, const Dataset& input) {
  const bool cut = input.is_apr() && plan.scheme == DeconvolutionScheme::truncated;
  return cut ? plan.psf.size : back_projector_size(plan.psf, input.size());
}

PixelBlurMethod back_projector_method(const DeconvolutionPlan& plan) {
  const bool passes =
      chosen_method(plan.psf, PixelBlurMethod::automatic) == PixelBlurMethod::passes;
  return passes ? PixelBlurMethod::fft : PixelBlurMethod::mirrored;
}

bool has_far_part(const DeconvolutionPlan& plan) { return needs_far_part(plan, plan.psf); }

FullPsfOptions full_psf_options(const DeconvolutionPlan& plan) {
  FullPsfOptions options;
  options.near = plan.near;
  options.lean = plan.scheme == DeconvolutionScheme::lean;
  options.boundary = plan.boundary;
  return options;
}

Result<std::shared_ptr<BlurShares>> make_shares(const DeconvolutionPlan& plan,
                                                const Dataset& input) {
  if (plan.ranks == nullptr || !input.is_apr()) return std::shared_ptr<BlurShares>();
  const AprAccess& access = *input.apr().access;
  std::optional<std::int64_t> reach;
  // Far parts, and whoever looks at iterates, need all values everywhere.
  if (!has_far_part(plan) && !plan.back_projector && !plan.shows_iterates) {
    const auto pyramid =
        StencilPyramid::create(plan.psf, StencilMode::restricted, false, access.level_max());
    if (!pyramid) return pyramid.error();
    reach = blur_reach(access, *pyramid);
  }
  return std::make_shared<BlurShares>(access, reach, *plan.ranks);
}

Result<std::unique_ptr<BlurModel>> make_blur(const DeconvolutionPlan& plan, const Dataset& input) {
  if (!input.is_apr()) return make_pixel_blur(input.size(), plan.psf, plan.boundary);
  std::optional<FullPsfOptions> full;
  if (has_far_part(plan)) {
    full = full_psf_options(plan);
    full->shares = plan.options.shares;
  }
  return particle_blur_by(plan, plan.psf, full, input);
}

Result<BackProjectorScheme> back_projector_scheme(const DeconvolutionPlan& plan,
                                                  const Dataset& input) {
  auto kernel =
      wiener_butterworth(plan.psf, *plan.back_projector, size_of_back_projector(plan, input));
  if (!kernel) return kernel.error();
  BackProjectorScheme scheme{*std::move(kernel), back_projector_method(plan), {}};
  if (input.is_apr() && needs_far_part(plan, scheme.kernel)) {
    scheme.full = full_psf_options(plan);
    scheme.full->tolerance = std::min(scheme.full->tolerance, kSharpTolerance);
    scheme.full->shares = plan.options.shares;
  }
  return scheme;
}

Result<std::unique_ptr<BlurModel>> make_back_projector(const DeconvolutionPlan& plan,
                                                       const Dataset& input) {
  const auto scheme = back_projector_scheme(plan, input);
  if (!scheme) return scheme.error();
  if (!input.is_apr()) {
    return make_pixel_blur(input.size(), scheme->kernel, plan.boundary, scheme->method);
  }
  return particle_blur_by(plan, scheme->kernel, scheme->full, input);
}

namespace {

// Bytes to measure a resolution: the spectra, and for particles also the pixels.
std::uint64_t resolution_bytes(const DeconvolutionPlan& plan, const Dataset& input) {
  if (!plan.resolution) return 0;
  const auto pixels = static_cast<std::uint64_t>(input.size().count()) * sizeof(float);
  return axis_fsc_bytes(input.size()) + (input.is_apr() ? 2 * pixels : 0);
}

}  // namespace

std::uint64_t deconvolution_bytes(const DeconvolutionPlan& plan, const Dataset& input) {
  const RichardsonLucyOptions& o = plan.options;
  // Images beside the estimate and the blurred estimate, by options and model.
  const std::uint64_t more =
      (o.regularisation != Regularisation::none ? 1U : 0U) + (o.accelerate ? 2U : 0U) +
      (plan.boundary == Boundary::zero ? 1U : 0U) + (plan.background_file ? 1U : 0U) +
      (plan.hold_out ? 2U : 0U) + (plan.resolution ? 4U : 0U);
  if (input.is_apr()) {
    const AprAccess& access = *input.apr().access;
    std::uint64_t values = access.count() * (4 + more) + access.tree().count();
    if (has_far_part(plan)) values += far_values(plan, access.size(), plan.psf.size);
    // An image of the background is pixels before it is particles.
    if (plan.background_file) values += static_cast<std::uint64_t>(access.size().count());
    return values * sizeof(float) + back_projector_bytes(plan, input) +
           resolution_bytes(plan, input);
  }
  const auto count = [](const Size3& n) { return static_cast<std::uint64_t>(n.count()); };
  const Size3& n = input.size();
  const bool real = std::holds_alternative<Pixels<float>>(input.volume().pixels);
  return count(n) * ((real ? 2 : 3) + more) * sizeof(float) +
         pixel_blur_bytes(n, plan.psf, plan.boundary) + back_projector_bytes(plan, input) +
         resolution_bytes(plan, input);
}

}  // namespace aprscope
