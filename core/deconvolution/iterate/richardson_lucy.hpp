#pragma once

#include <span>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/deconvolution/blur/blur_model.hpp"
#include "core/deconvolution/iterate/regulariser.hpp"
#include "core/deconvolution/iterate/richardson_lucy_options.hpp"
#include "core/deconvolution/iterate/richardson_lucy_report.hpp"

namespace aprscope {

/// Richardson–Lucy (Richardson 1972, Lucy 1974) for an image d ~ Poisson(Hx + b) + offset:
/// x ← x · Hᵀ(u ÷ (Hx + b)) ÷ (Hᵀ1 − strength · term(x)) with u = max(d − offset, 0). `observed` is
/// d, one value for each of the model's; `given` the estimate to begin with where the options say
/// so. No estimate is negative; where it is 0 it stays 0. Its flux Σ x · weight · Hᵀ1 is, within
/// 1e-5, what of the image's light the estimate explained in that iteration and not the background:
/// Σ u · Hx ÷ (Hx + b) · weight. Without a background that is all of u; where the model fits, it
/// becomes Σ (u − b) · weight. (It is not made Σ (u − b) by force: a background that is a little
/// too high would then take its excess from the brightest.) The divisor counts as at least Hᵀ1
/// ÷ 10. Results are finite, whatever finite values come in.
///
/// With a back projector B that is not Hᵀ (Guo et al. 2020, Nat. Biotechnol. 38:1337) an iteration
/// is x ← x · B(u ÷ (Hx + b)) ÷ (B1 − strength · term(x)), and then the flux is made what it is
/// above. B has negative weights: a correction counts as at least 1/100, so that nothing becomes 0
/// that later iterations may need. Nothing is extrapolated from these iterations. Errors: lengths,
/// values of `observed` or `given` that are not finite (with their number), a background that is
/// negative or not finite, no light above offset and background, a regulariser that is missing, no
/// memory, cancelled.
Result<Deconvolved> richardson_lucy(BlurModel& model, std::span<const float> observed,
                                    const RichardsonLucyOptions& options, Regulariser* regulariser,
                                    std::span<const float> given, const RichardsonLucyHooks& hooks,
                                    const JobContext& context = {});

}  // namespace aprscope
