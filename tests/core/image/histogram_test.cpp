#include "core/image/histogram.hpp"

#include <limits>
#include <numeric>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

TEST(Histogram, CountsWholeGreyValuesOneBinEach) {
  const std::vector<float> values{3, 3, 5, 7, 7, 7};
  const Histogram h = histogram(values);
  EXPECT_EQ(h.minimum, 3.0);
  EXPECT_EQ(h.maximum, 7.0);
  EXPECT_EQ(h.bins, (std::vector<std::uint64_t>{2, 0, 1, 0, 3}));
  EXPECT_EQ(h.count, 6U);
}

TEST(Histogram, ValuesThatAreNotFiniteAreLeftOut) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  const Histogram h = histogram(std::vector<float>{nan, 0.5F, inf, 1.5F, -inf});
  EXPECT_EQ(h.count, 2U);
  EXPECT_EQ(h.minimum, 0.5);
  EXPECT_EQ(h.maximum, 1.5);
  EXPECT_EQ(histogram(std::vector<float>{nan, nan}).count, 0U);
}

TEST(Histogram, WeightsCountAsManyTimes) {
  const std::vector<float> values{0, 1};
  const std::vector<float> weights{8, 1};
  EXPECT_EQ(histogram(values, 256, weights).bins, (std::vector<std::uint64_t>{8, 1}));
}

TEST(Histogram, QuantilesOfAUniformRamp) {
  std::vector<float> values(100001);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) / 100000.0F;
  const Histogram h = histogram(values, 1000);
  for (const double q : {0.0, 0.01, 0.25, 0.5, 0.999, 1.0}) EXPECT_NEAR(h.quantile(q), q, 2e-3);
}

TEST(Histogram, VolumeAndValuesAgree) {
  Volume volume;
  Pixels<std::uint16_t> pixels({4, 5, 6});
  std::iota(pixels.values.begin(), pixels.values.end(), std::uint16_t{40});
  volume.pixels = pixels;
  const Pixels<float> as_float = volume.to_float();
  EXPECT_EQ(histogram(volume).bins, histogram(as_float.values).bins);
}

TEST(AutomaticContrast, IgnoresAFewHotPixelsAndNeverIsEmpty) {
  std::vector<float> values(100000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 1000);
  values[7] = 60000.0F;
  const Contrast c = automatic_contrast(histogram(values, 65536));
  EXPECT_LT(c.high, 1100.0);
  EXPECT_GT(c.high, 900.0);
  const Contrast flat = automatic_contrast(histogram(std::vector<float>(10, 5.0F)));
  EXPECT_GT(flat.high, flat.low);
}

}  // namespace
}  // namespace aprscope
