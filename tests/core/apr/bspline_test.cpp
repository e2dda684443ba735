#include "core/apr/bspline.hpp"

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "tests/core/apr/naive_conversion.hpp"

namespace aprscope {
namespace {

std::vector<float> filtered(const std::vector<double>& x, double lambda) {
  const auto n = static_cast<std::int64_t>(x.size());
  const SplineFilter filter = make_spline_filter(lambda, n);
  std::vector<float> block(x.begin(), x.end());
  std::vector<float> scratch(4);
  filter_lines(filter, block.data(), n, 1, scratch.data());
  for (float& v : block) v *= filter.norm;
  return block;
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

TEST(SplineFilter, LinesSideBySideDoNotMix) {
  constexpr std::int64_t kWidth = 5;
  constexpr std::int64_t kSamples = 33;
  const SplineFilter filter = make_spline_filter(3.0, kSamples);
  const std::vector<double> all = noise(kWidth * kSamples);
  std::vector<float> block(all.begin(), all.end());
  std::vector<float> scratch(4 * kWidth);
  filter_lines(filter, block.data(), kSamples, kWidth, scratch.data());
  for (std::int64_t w = 0; w < kWidth; ++w) {
    std::vector<float> line;
    for (std::int64_t k = 0; k < kSamples; ++k) {
      line.push_back(static_cast<float>(all[static_cast<std::size_t>(k * kWidth + w)]));
    }
    filter_lines(filter, line.data(), kSamples, 1, scratch.data());
    for (std::int64_t k = 0; k < kSamples; ++k) {
      EXPECT_EQ(line[static_cast<std::size_t>(k)], block[static_cast<std::size_t>(k * kWidth + w)]);
    }
  }
}

}  // namespace
}  // namespace aprscope
