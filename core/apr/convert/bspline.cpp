#include "core/apr/convert/bspline.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>

namespace aprscope {
namespace {

// Starting weights below this share of the first one do not change a float result.
constexpr double kTolerance = 1e-8;

using Complex = std::complex<double>;

// The pole inside the unit circle that belongs to z + 1/z = 2 + u.
Complex inner_pole(Complex u) {
  const Complex b = 2.0 + u;
  const Complex root = std::sqrt(b * b - 4.0);
  const Complex plus = b + root;
  const Complex minus = b - root;
  return 2.0 / (std::abs(plus) > std::abs(minus) ? plus : minus);
}

// Weights on x_0 … of Σ_k response(k) · x_{at − k}; k runs over (−reach, reach) or [0, reach).
template <class Response>
std::vector<float> folded(std::int64_t n, std::int64_t reach, std::int64_t at, bool two_sided,
                          const Response& response) {
  std::vector<double> weights(static_cast<std::size_t>(n), 0.0);
  for (std::int64_t k = two_sided ? 1 - reach : 0; k < reach; ++k) {
    weights[static_cast<std::size_t>(mirrored_sample(at - k, n))] += response(std::abs(k));
  }
  while (weights.size() > 1 && weights.back() == 0.0) weights.pop_back();
  return {weights.begin(), weights.end()};
}

}  // namespace

std::int64_t mirrored_sample(std::int64_t k, std::int64_t n) {
  if (n == 1) return 0;
  const std::int64_t period = 2 * n - 2;
  k %= period;
  if (k < 0) k += period;
  return k < n ? k : period - k;
}

SplineResponse spline_response(double lambda) {
  // B + λ D² = 1 + u/6 + λ u² with u = z − 2 + 1/z; its roots without cancellation.
  const Complex q = -(1.0 / 6.0 + std::sqrt(Complex(1.0 / 36.0 - 4.0 * lambda))) / 2.0;
  const Complex p1 = inner_pole(q / lambda);
  const Complex p2 = inner_pole(1.0 / q);
  // Rounded first, so that the starting values and the norm fit the recursions that are run.
  SplineResponse out;
  out.feed1 = static_cast<float>((p1 + p2).real());
  out.feed2 = static_cast<float>(-(p1 * p2).real());
  const double feed1 = out.feed1;
  const double feed2 = out.feed2;

  // Causal impulse response, and with it the response of both recursions (its autocorrelation).
  out.causal = {1.0, feed1};
  const double decay = std::max(std::abs(p1), std::abs(p2));
  const auto reach = static_cast<std::int64_t>(
      std::clamp(std::ceil(std::log(kTolerance) / std::log(decay)), 4.0, 1e6));
  for (std::int64_t k = 2; k < 2 * reach; ++k) {
    const auto i = static_cast<std::size_t>(k);
    out.causal.push_back(feed1 * out.causal[i - 1] + feed2 * out.causal[i - 2]);
  }
  out.both.assign(static_cast<std::size_t>(reach), 0.0);
  for (std::size_t k = 0; k < out.both.size(); ++k) {
    for (std::size_t j = 0; j + k < out.causal.size(); ++j) {
      out.both[k] += out.causal[j] * out.causal[j + k];
    }
  }
  out.causal.resize(out.both.size());
  return out;
}

SplineFilter make_spline_filter(double lambda, std::int64_t n) {
  const SplineResponse response = spline_response(lambda);
  const auto reach = static_cast<std::int64_t>(response.both.size());
  const std::vector<double>& causal = response.causal;
  const std::vector<double>& both = response.both;

  SplineFilter filter;
  filter.feed1 = response.feed1;
  filter.feed2 = response.feed2;
  filter.norm = static_cast<float>(
      std::pow(1.0 - static_cast<double>(response.feed1) - static_cast<double>(response.feed2), 2));
  const auto forward = [&](std::int64_t k) { return causal[static_cast<std::size_t>(k)]; };
  const auto symmetric = [&](std::int64_t k) { return both[static_cast<std::size_t>(k)]; };
  filter.first = folded(n, reach, 0, false, forward);
  filter.second = folded(n, reach, 1, false, forward);
  filter.last = folded(n, reach, 0, true, symmetric);
  filter.before_last = folded(n, reach, 1, true, symmetric);
  return filter;
}

}  // namespace aprscope
