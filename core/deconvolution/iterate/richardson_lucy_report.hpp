#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

namespace aprscope {

/// What one iteration says of itself.
struct RichardsonLucyReport {
  /// Counted from 1.
  int iteration = 0;
  /// Poisson log-likelihood of the image u (above its offset) under the estimate that the iteration
  /// began with, minus that of an exact fit, ÷ the image's flux: −Σ (u ln(u ÷ v) − u + v) ÷ Σ u
  /// with v = Hx + b, the blurred estimate and the background; at most 0, rises. Computed where
  /// there is an observer or acceleration.
  double likelihood = 0.0;
  /// The same of what was held out; 0 where there is nothing.
  double held_out = 0.0;
  /// Σ|new − old| ÷ Σ new, both weighted by the pixels that each value stands for.
  double change = 0.0;
  /// Of this iteration, without the observer.
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
  /// Iterations done.
  int iterations = 0;
  /// Ended by `keep` before its time.
  bool partial = false;
  /// Ended because the change fell to stop_change.
  bool converged = false;
  /// After how many iterations the estimate explained best what was held out; −1: nothing was.
  int best = -1;
  /// Of all iterations, without the observer.
  double seconds = 0.0;
  /// Values below the offset in the image, which count as 0.
  std::uint64_t negatives = 0;
};

}  // namespace aprscope
