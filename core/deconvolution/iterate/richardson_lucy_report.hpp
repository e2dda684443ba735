#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

namespace aprscope {

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
  /// The values where options had them on a disk, which has to stay; then there are no others.
  std::span<const float> on_disk{};
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

}  // namespace aprscope
