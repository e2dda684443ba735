#pragma once

#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "core/deconvolution/blur/blur_model.hpp"
#include "core/deconvolution/iterate/observation.hpp"
#include "core/deconvolution/iterate/regulariser.hpp"

namespace aprscope {

/// The estimate that the iterations begin with: the image above offset and background (where that
/// is 0, the blurred image, since an estimate of 0 stays 0), its mean everywhere, or values that
/// are given (an earlier result).
enum class DeconvolutionStart { image, constant, given };

struct RichardsonLucyOptions {
  /// Number of iterations, from 1.
  int iterations = 50;
  /// Ends earlier when the relative change of an iteration falls to this or below; 0: never.
  double stop_change = 0.0;
  /// Weight of the regulariser's term. Tikhonov–Miller: for an image whose largest value is 1.
  double strength = 0.0;
  Regularisation regularisation = Regularisation::none;
  /// Extrapolates along the last change (Biggs and Andrews 1997), but not from an iteration in
  /// which the likelihood fell.
  bool accelerate = false;
  DeconvolutionStart start = DeconvolutionStart::image;
  /// Grey value of the camera without light, at least 0: subtracted from the image; values below it
  /// count as 0.
  float offset = 0.0F;
  /// Light that does not come from the specimen, added to the blurred estimate.
  BackgroundLight background;
  /// Where the blurred estimate is at most `guard` × the image's largest value the ratio counts as
  /// 0: there is nothing to explain the image with. Transforms round to about a tenth of this.
  double guard = 1e-7;
  /// Data held out of the image, see hold_out(): one value for each value of the model, in the unit
  /// of the image above its offset; null: none. Each iteration is judged by them, and iterations
  /// end some time after the best one, see HeldOutStop.
  std::shared_ptr<const std::vector<float>> held_out;
  /// Number of first iterations that project back with another kernel than the flipped PSF (see
  /// wiener_butterworth()). Each sharpens as much as about ten others; use few, since they do not
  /// converge and noise rises. 0: none.
  int unmatched = 0;
  /// The back projector of these iterations, applied by forward(): a blur of the same values,
  /// needed if unmatched > 0. Works in place if the model does.
  std::shared_ptr<BlurModel> back_projector;
};

/// Facts about one iteration.
struct RichardsonLucyReport {
  /// Number of the iteration, from 1.
  int iteration = 0;
  /// Poisson log-likelihood of the image u (above its offset) under the estimate that the iteration
  /// began with, minus that of an exact fit, ÷ the image's flux: −Σ (u ln(u ÷ v) − u + v) ÷ Σ u
  /// with v = Hx + b, the blurred estimate and the background; at most 0, rises. Computed where
  /// there is an observer or acceleration.
  double likelihood = 0.0;
  /// The likelihood of the data held out; 0 where there are none.
  double held_out = 0.0;
  /// Σ|new − old| ÷ Σ new, both weighted by the pixels that each value stands for.
  double change = 0.0;
  /// Seconds that this iteration took, without the observer.
  double seconds = 0.0;
};

struct RichardsonLucyHooks {
  /// Called after each iteration from the thread that runs it; the values are those of the iterate
  /// and stay as they are during the call only.
  std::function<void(const RichardsonLucyReport&, std::span<const float> iterate)> observer;
  /// Once stop is requested here, the iteration that runs is finished and its iterate returned,
  /// marked partial. (The context's own token discards everything.)
  std::stop_token keep;
};

struct Deconvolved {
  std::vector<float> values;
  /// Number of iterations done.
  int iterations = 0;
  /// Whether `keep` ended the iterations early.
  bool partial = false;
  /// Whether they ended because the change fell to stop_change.
  bool converged = false;
  /// Number of iterations whose estimate explains the held-out data best; −1: none held out.
  int best = -1;
  /// Seconds that all iterations took, without the observer.
  double seconds = 0.0;
  /// Number of values of the image below the offset, which count as 0.
  std::uint64_t negatives = 0;
};

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
