#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/deconvolution/blur/blur_model.hpp"

namespace aprscope {

/// How photons are held out of an image, see hold_out().
struct HoldOutOptions {
  /// Grey values a photon, above 0.
  double gain = 1.0;
  /// Share of the photons that is held out, in (0, ½].
  double share = 0.1;
  std::uint64_t seed = 1;
};

/// An image in two parts that know nothing of each other.
struct ThinnedImage {
  /// The data to iterate on, and the data to judge iterates by. Both are scaled to the grey values
  /// of the whole image above its offset, so that one model explains them.
  std::vector<float> kept, held_out;
  /// How many photons were counted, and held out.
  double photons = 0.0;
  double photons_held_out = 0.0;
};

/// Data thinning (Neufeld et al., JMLR 2024): of the n photons of each value u = max(image −
/// offset, 0), n = u · weight ÷ gain to the nearest whole number, Binomial(n, share) are held out;
/// of Poisson data both parts are Poisson and independent. A particle stands for `weights` pixels,
/// whose sum is thinned. The same draw for any number of threads. Errors: cancelled; throws
/// std::bad_alloc.
Result<ThinnedImage> hold_out(std::span<const float> image, float offset,
                              std::span<const WeightRun> weights, const HoldOutOptions& options,
                              const JobContext& context = {});

/// Decides when iterates that were judged by held-out photons are to end: when none was better for
/// a while, a third as long as it took to the best, 10 to 60 iterations.
class HeldOutStop {
 public:
  /// Tells the worth of the estimate with which iteration `number` (from 1) began. True: stop.
  bool enough(int number, double worth) {
    if (best_ < 0 || worth > worth_) {
      worth_ = worth;
      best_ = number - 1;
    }
    const int patience = best_ / 3 < 10 ? 10 : best_ / 3 > 60 ? 60 : best_ / 3;
    return number - 1 - best_ >= patience;
  }
  /// Number of iterations after which the estimate was the best so far; −1 before the first.
  [[nodiscard]] int best() const { return best_; }

 private:
  double worth_ = 0.0;
  int best_ = -1;
};

}  // namespace aprscope
