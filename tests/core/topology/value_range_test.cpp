#include "core/topology/value_range.hpp"

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

TEST(ValueRange, IsThatOfTheValuesWhereverTheyStand) {
  std::mt19937_64 random(5);
  for (const std::size_t count : {1U, 7U, 8U, 9U, 100U, 70001U}) {
    std::vector<float> values(count);
    for (float& v : values) v = static_cast<float>(random() % 1000);
    for (const std::size_t at : {std::size_t{0}, count / 2, count - 1}) {
      auto some = values;
      some[at] = -3.0F;
      auto range = value_range(std::span<const float>(some));
      EXPECT_EQ(range.least, -3.0F);
      EXPECT_TRUE(range.whole);
      some[at] = 5000.5F;
      range = value_range(std::span<const float>(some));
      EXPECT_EQ(range.most, 5000.5F);
      EXPECT_FALSE(range.whole) << count << ", " << at;
    }
  }
}

TEST(ValueRange, OfWholeNumbersReachesBothEndsOfTheType) {
  std::vector<std::uint16_t> values(100, 7);
  auto range = value_range(std::span<const std::uint16_t>(values));
  EXPECT_EQ(range.least, 7);
  EXPECT_EQ(range.most, 7);
  values[50] = 65535;
  values[99] = 0;
  range = value_range(std::span<const std::uint16_t>(values));
  EXPECT_EQ(range.least, 0);
  EXPECT_EQ(range.most, 65535);
}

TEST(ValueRange, HasOneZero) {
  const std::vector<float> values(20, -0.0F);
  const auto range = value_range(std::span<const float>(values));
  EXPECT_FALSE(std::signbit(range.least));
  EXPECT_FALSE(std::signbit(range.most));
}

}  // namespace
}  // namespace aprscope
