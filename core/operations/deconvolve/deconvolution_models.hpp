#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "core/dataset/dataset.hpp"
#include "core/deconvolution/blur/full_psf_blur.hpp"
#include "core/operations/deconvolve/deconvolution_plan.hpp"

namespace aprscope {

/// Whether particles are blurred by a near part and a Fourier transform: the schemes full and lean
/// with a PSF for which that costs less than a stencil.
bool has_far_part(const DeconvolutionPlan& plan);

/// How make_full_psf_blur() is asked to do that.
FullPsfOptions full_psf_options(const DeconvolutionPlan& plan);

/// How plan.ranks share the blur of particles; null: they do not. The same on all ranks but for
/// which share is theirs. Errors: no memory.
Result<std::shared_ptr<BlurShares>> make_shares(const DeconvolutionPlan& plan,
                                                const Dataset& input);

/// The blur of pixels, or of the particles of an APR. Errors: no memory, of the models.
Result<std::unique_ptr<BlurModel>> make_blur(const DeconvolutionPlan& plan, const Dataset& input);

/// A plan's Wiener–Butterworth back projector, and how it is applied: to pixels by `method`, to
/// particles by a near and a far part as `full` says, or (none) as a stencil on each level.
struct BackProjectorScheme {
  Stencil kernel;
  PixelBlurMethod method = PixelBlurMethod::fft;
  std::optional<FullPsfOptions> full;
};
/// The plan must have one. Errors: those of wiener_butterworth().
Result<BackProjectorScheme> back_projector_scheme(const DeconvolutionPlan& plan,
                                                  const Dataset& input);
/// The size of its kernel.
Size3 size_of_back_projector(const DeconvolutionPlan& plan, const Dataset& input);
/// How it is applied to pixels: with the same border as the blur.
PixelBlurMethod back_projector_method(const DeconvolutionPlan& plan);

/// The blur by the plan's Wiener–Butterworth back projector on the same values. On particles its
/// kernel has a near and a far part, as large PSFs have; in the scheme truncated it is a stencil of
/// the PSF's size. Errors: those of wiener_butterworth() and of the models.
Result<std::unique_ptr<BlurModel>> make_back_projector(const DeconvolutionPlan& plan,
                                                       const Dataset& input);

/// About what deconvolve() takes beyond the input.
std::uint64_t deconvolution_bytes(const DeconvolutionPlan& plan, const Dataset& input);

}  // namespace aprscope
