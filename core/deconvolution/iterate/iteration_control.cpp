#include "core/deconvolution/iterate/iteration_control.hpp"

#include <algorithm>
#include <cmath>

namespace aprscope {
namespace {

// Flux that is off by less is left alone: adjoints are not exact, see BlurModel::adjoint().
constexpr double kFluxTolerance = 1e-5;

}  // namespace

Observation observe(std::span<const float> image, const RichardsonLucyOptions& options) {
  Observation seen;
  seen.image = image;
  seen.offset = options.offset;
  if (options.background.values) {
    seen.background = *options.background.values;
  } else {
    seen.level = options.background.level;
  }
  return seen;
}

IterationControl::IterationControl(const ImageFacts& facts, const RichardsonLucyOptions& options)
    : has_background_(!options.background.none()),
      pixels_(facts.pixels),
      accelerate_(options.accelerate) {
  // Scale only values far from 1, by a power of two, which changes no digit.
  const double largest = static_cast<double>(facts.largest);
  if (largest > 1e12 || (largest > 0.0 && largest < 1e-12)) {
    scale_ = std::ldexp(1.0F, std::clamp(-std::ilogb(facts.largest), -126, 126));
  }
  largest_ = facts.largest > 0.0F ? facts.largest * scale_ : 1.0F;
  floor_ = static_cast<float>(options.guard) * largest_;
  flux_ = facts.flux * static_cast<double>(scale_);
  background_ = facts.background * static_cast<double>(scale_);
  // The derivative of λ|∇x|² is −2λΔx.
  const bool squared = options.regularisation == Regularisation::tikhonov_miller;
  strength_ = static_cast<float>((squared ? 2.0 : 1.0) * options.strength);
}

float IterationControl::mean() const {
  const double above = flux_ > background_ ? flux_ - background_ : flux_;
  return static_cast<float>(pixels_ > 0.0 ? above / pixels_ : 0.0);
}

Observation IterationControl::scaled(Observation seen) const {
  seen.scale = scale_;
  seen.floor = floor_;
  return seen;
}

double IterationControl::likelihood(double divergence) const {
  return flux_ > 0.0 ? -divergence / flux_ : 0.0;
}

IterationControl::Step IterationControl::after(const UpdateSums& sums, double divergence,
                                               double explained) {
  Step step;
  const double flux = has_background_ ? explained : flux_;
  const double factor = sums.flux > 0.0 && flux > 0.0 ? flux / sums.flux : 1.0;
  if (std::abs(factor - 1.0) > kFluxTolerance) step.factor = static_cast<float>(factor);
  if (!accelerate_) return step;
  // A likelihood that falls says that the extrapolation went too far.
  const bool back = divergence > divergence_;
  divergence_ = divergence;
  // Squares of the largest values may be too large for floats.
  const bool known = sums.before > 0.0 && std::isfinite(sums.before) && std::isfinite(sums.along);
  if (known && !back) {
    step.along = static_cast<float>(std::clamp(sums.along / sums.before, 0.0, 1.0));
  }
  return step;
}

}  // namespace aprscope
