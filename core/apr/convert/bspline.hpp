#pragma once

#include <cstdint>
#include <vector>

namespace aprscope {

/// The smoothing cubic B-spline of one dimension as a recursive filter (Unser, Aldroubi & Eden
/// 1993, part II, eq. 4.1–4.8): coefficients c = x / (B(z) + λ D(z)²) with B = (z + 4 + 1/z) / 6
/// and D = z − 2 + 1/z, factored into a causal and an anti-causal recursion c_k = x_k + feed1 ·
/// c_{k∓1} + feed2 · c_{k∓2}. Beyond its ends the signal is mirrored about the first and the last
/// sample.
struct SplineFilter {
  float feed1 = 0.0F;
  float feed2 = 0.0F;
  /// Factor on the result of both recursions: makes the gain of a constant 1.
  float norm = 1.0F;
  /// Weights of x_0, x_1, … in the causal result at 0 and at 1.
  std::vector<float> first, second;
  /// Weights of x_{n−1}, x_{n−2}, … in the final result (without norm) at n − 1 and at n − 2.
  std::vector<float> last, before_last;
};

/// The filter for signals of n > 2 samples and λ > 0. The poles are a complex pair for λ > 1/144
/// and real below; starting weights are cut where they fall below 1e-8.
SplineFilter make_spline_filter(double lambda, std::int64_t n);

/// The responses of the recursions to a single sample: `causal` of the first one, `both` of both
/// (symmetric, hence one side), without the factor norm, until they fall below 1e-8.
struct SplineResponse {
  float feed1 = 0.0F;
  float feed2 = 0.0F;
  std::vector<double> causal, both;
};
SplineResponse spline_response(double lambda);

/// Position of sample k of a signal of n samples that is mirrored about its first and last sample;
/// 0 where there is only one.
std::int64_t mirrored_sample(std::int64_t k, std::int64_t n);

}  // namespace aprscope
