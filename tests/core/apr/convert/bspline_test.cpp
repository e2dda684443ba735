#include "core/apr/convert/bspline.hpp"

#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "tests/core/apr/naive_conversion.hpp"

namespace aprscope {
namespace {

// The filter run as its description says.
std::vector<float> filtered(const std::vector<double>& x, double lambda) {
  const std::size_t n = x.size();
  const SplineFilter filter = make_spline_filter(lambda, static_cast<std::int64_t>(n));
  std::vector<float> c(x.begin(), x.end());
  const auto from_begin = [&](const std::vector<float>& weights) {
    return std::inner_product(weights.begin(), weights.end(), x.begin(), 0.0);
  };
  const auto from_end = [&](const std::vector<float>& weights) {
    return std::inner_product(weights.begin(), weights.end(), x.rbegin(), 0.0);
  };
  c[0] = static_cast<float>(from_begin(filter.first));
  c[1] = static_cast<float>(from_begin(filter.second));
  for (std::size_t k = 2; k < n; ++k) c[k] += filter.feed1 * c[k - 1] + filter.feed2 * c[k - 2];
  c[n - 1] = static_cast<float>(from_end(filter.last));
  c[n - 2] = static_cast<float>(from_end(filter.before_last));
  for (std::size_t k = n - 2; k-- > 0;) {
    c[k] += filter.feed1 * c[k + 1] + filter.feed2 * c[k + 2];
  }
  for (float& v : c) v *= filter.norm;
  return c;
}

std::vector<double> noise(std::size_t n) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(0.0, 1000.0);
  std::vector<double> x(n);
  for (double& v : x) v = unit(random);
  return x;
}

TEST(SplineFilter, SolvesTheSmoothingSplineSystem) {
  for (const double lambda : {0.001, 1.0 / 144.0, 0.1, 2.0, 3.0, 50.0}) {
    for (const std::size_t n : {3U, 4U, 5U, 8U, 17U, 64U}) {
      const std::vector<double> x = noise(n);
      const std::vector<double> expected = test::spline_coefficients(x, lambda);
      const std::vector<float> found = filtered(x, lambda);
      for (std::size_t i = 0; i < n; ++i) {
        EXPECT_NEAR(static_cast<double>(found[i]), expected[i], 0.01)
            << "lambda " << lambda << ", " << n << " samples, sample " << i;
      }
    }
  }
}

TEST(SplineFilter, RecursionHasThePublishedPoles) {
  for (const double lambda : {0.1, 2.0, 3.0, 10.0}) {
    const double root = std::sqrt(3.0 + 144.0 * lambda);
    const double xi = 1.0 - 96.0 * lambda + 24.0 * lambda * root;
    const double rho = (24.0 * lambda - 1.0 - std::sqrt(xi)) / (24.0 * lambda) *
                       std::sqrt((48.0 * lambda + 24.0 * lambda * root) / xi);
    const double omega = std::atan(std::sqrt((144.0 * lambda - 1.0) / xi));
    const SplineFilter filter = make_spline_filter(lambda, 100);
    EXPECT_NEAR(static_cast<double>(filter.feed1), 2.0 * rho * std::cos(omega), 1e-6);
    EXPECT_NEAR(static_cast<double>(filter.feed2), -rho * rho, 1e-6);
    EXPECT_NEAR(static_cast<double>(filter.norm),
                std::pow(1.0 - 2.0 * rho * std::cos(omega) + rho * rho, 2), 1e-6);
  }
}

TEST(SplineFilter, KeepsAConstant) {
  for (const double lambda : {0.01, 3.0, 1000.0}) {
    for (const float v : filtered(std::vector<double>(200, 1000.0), lambda)) {
      EXPECT_NEAR(v, 1000.0F, 0.05F) << "lambda " << lambda;
    }
  }
}

}  // namespace
}  // namespace aprscope
