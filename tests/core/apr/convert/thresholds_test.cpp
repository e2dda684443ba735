#include "core/apr/convert/thresholds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "tests/core/apr/conversion_fixtures.hpp"

namespace aprscope {
namespace {

// The number of values below the threshold of least cross-entropy, found by trying them all.
std::size_t exhaustive_split(std::vector<float> values) {
  std::sort(values.begin(), values.end());
  double total = 0.0;
  for (const float v : values) total += static_cast<double>(v);
  double below = 0.0;
  double best = std::numeric_limits<double>::infinity();
  std::size_t split = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    below += static_cast<double>(values[i - 1]);
    if (values[i] == values[i - 1] || below <= 0.0) continue;
    const double above = total - below;
    const double entropy = -below * std::log(below / static_cast<double>(i)) -
                           above * std::log(above / static_cast<double>(values.size() - i));
    if (entropy < best) {
      best = entropy;
      split = i;
    }
  }
  return split;
}

std::vector<float> two_populations(unsigned seed, double low, double high, int lows, int highs) {
  std::mt19937 random(seed);
  std::normal_distribution<double> a(low, low / 5.0);
  std::normal_distribution<double> b(high, high / 6.0);
  std::vector<float> values;
  for (int i = 0; i < lows; ++i) values.push_back(static_cast<float>(std::max(0.01, a(random))));
  for (int i = 0; i < highs; ++i) values.push_back(static_cast<float>(std::max(0.01, b(random))));
  std::shuffle(values.begin(), values.end(), random);
  return values;
}

TEST(LiThreshold, OfTwoValuesIsTheirLogarithmicMean) {
  for (const auto& [a, b] : {std::pair(1.0F, 9.0F), std::pair(10.0F, 1000.0F)}) {
    std::vector<float> values(700, a);
    values.insert(values.end(), 300, b);
    EXPECT_NEAR(li_threshold(values), (b - a) / (std::log(b) - std::log(a)), 1e-3F * b);
  }
}

TEST(LiThreshold, SplitsWhereTheCrossEntropyIsLeast) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    const auto values = two_populations(seed, 10.0, 100.0 + 20.0 * seed, 5000, 1500);
    const float threshold = li_threshold(values);
    const auto below = static_cast<std::size_t>(
        std::count_if(values.begin(), values.end(), [&](float v) { return v <= threshold; }));
    EXPECT_EQ(below, exhaustive_split(values)) << "seed " << seed;
  }
}

TEST(LiThreshold, DegenerateInputs) {
  EXPECT_EQ(li_threshold({}), 0.0F);
  EXPECT_EQ(li_threshold({5.0F, 5.0F, 5.0F}), 5.0F);
  EXPECT_EQ(li_threshold({0.0F, 0.0F}), 0.0F);
  // All values below are 0, whose logarithm does not exist: the mean still separates.
  const float t = li_threshold({0.0F, 0.0F, 0.0F, 8.0F});
  EXPECT_GT(t, 0.0F);
  EXPECT_LT(t, 8.0F);
}

TEST(LiThreshold, SameForAnyNumberOfThreads) {
  const auto values = two_populations(3, 7.0, 90.0, 200000, 77777);
  const test::Threads one(1);
  const float expected = li_threshold(values);
  for (const int n : {2, 7}) {
    const test::Threads threads(n);
    EXPECT_EQ(li_threshold(values), expected);
  }
}

GradientScale grids(std::vector<float> gradient, std::vector<float> scale,
                    std::vector<float> intensity) {
  GradientScale out;
  const Size3 half{1, 1, static_cast<std::int64_t>(gradient.size())};
  out.image_size = {1, 1, 2 * half.y};
  out.gradient.size = out.scale.size = out.intensity.size = half;
  out.gradient.values = std::move(gradient);
  out.scale.values = std::move(scale);
  out.intensity.values = std::move(intensity);
  return out;
}

TEST(AutomaticThresholds, LookOnlyAtVoxelsAboveTheIntensityThreshold) {
  const auto gradient = two_populations(5, 3.0, 60.0, 3000, 1000);
  const auto scale = two_populations(6, 20.0, 300.0, 3000, 1000);
  std::vector<float> all_gradient = gradient;
  std::vector<float> all_scale = scale;
  std::vector<float> intensity(gradient.size(), 101.0F);
  for (int i = 0; i < 2500; ++i) {
    all_gradient.push_back(5000.0F);
    all_scale.push_back(9000.0F);
    intensity.push_back(100.0F);
  }
  ConversionParameters p;
  p.intensity_th = 100.0F;
  const Thresholds found = automatic_thresholds(grids(all_gradient, all_scale, intensity), p);
  EXPECT_EQ(found.grad_th, li_threshold(gradient));
  EXPECT_EQ(found.sigma_th, li_threshold(scale));

  p.intensity_th = 200.0F;
  const Thresholds none = automatic_thresholds(grids(all_gradient, all_scale, intensity), p);
  EXPECT_EQ(none.grad_th, 0.0F);
  EXPECT_EQ(none.sigma_th, 0.0F);
}

TEST(AutomaticThresholds, StrideThroughLargeGrids) {
  // Twice the limit of 32 · 512² samples: every second voxel counts, whatever the others hold.
  constexpr std::size_t kCount = std::size_t{2} * 32 * 512 * 512;
  GradientScale input = grids(std::vector<float>(kCount), std::vector<float>(kCount),
                              std::vector<float>(kCount, 1.0F));
  for (std::size_t i = 0; i < kCount; ++i) {
    const bool high = i / 2 % 4 == 0;
    input.gradient.values[i] = i % 2 != 0 ? 1e6F : high ? 80.0F : 2.0F;
    input.scale.values[i] = i % 2 != 0 ? 1e7F : high ? 900.0F : 10.0F;
  }
  const Thresholds found = automatic_thresholds(input, {});
  EXPECT_NEAR(found.grad_th, 78.0F / std::log(40.0F), 0.01F);
  EXPECT_NEAR(found.sigma_th, 890.0F / std::log(90.0F), 0.1F);
}

TEST(ThresholdedScale, FollowsBothThresholds) {
  EXPECT_EQ(thresholded_scale(150.0F, 100.0F, 50.0F), 150.0F);
  EXPECT_EQ(thresholded_scale(70.0F, 100.0F, 50.0F), 100.0F);
  EXPECT_EQ(thresholded_scale(40.0F, 100.0F, 50.0F), kInfiniteScale);
  EXPECT_EQ(thresholded_scale(40.0F, 30.0F, 50.0F), 40.0F);
  EXPECT_EQ(thresholded_scale(40.0F, 1e6F, 50.0F), 1e6F);
}

}  // namespace
}  // namespace aprscope
