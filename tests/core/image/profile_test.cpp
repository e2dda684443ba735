#include "core/image/profile.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

// value = 10 row + col, whole numbers at the centres of pixels: linear, so that any interpolation
// that is linear gives 10 (row − 0.5) + (col − 0.5).
Plane ramp(std::int64_t rows, std::int64_t cols) {
  Plane plane{rows, cols, {}};
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t c = 0; c < cols; ++c) plane.values.push_back(static_cast<float>(10 * r + c));
  }
  return plane;
}

TEST(Profile, FollowsALinearImageInAnyDirection) {
  const Plane plane = ramp(20, 30);
  for (const PlaneLine& line :
       {PlaneLine{{2.5, 3.5}, {2.5, 20.5}}, PlaneLine{{15.25, 4.5}, {3.5, 28.0}},
        PlaneLine{{1.0, 7.0}, {18.0, 7.0}}}) {
    const LineProfile profile = line_profile(plane, line);
    ASSERT_GT(profile.values.size(), 10U);
    const auto last = static_cast<double>(profile.values.size() - 1);
    for (std::size_t i = 0; i < profile.values.size(); ++i) {
      const double t = static_cast<double>(i) / last;
      const double row = line.from.row + t * (line.to.row - line.from.row);
      const double col = line.from.col + t * (line.to.col - line.from.col);
      EXPECT_NEAR(profile.values[i], 10 * (row - 0.5) + (col - 0.5), 1e-9);
    }
  }
}

TEST(Profile, MeasuresPhysicalLengths) {
  ProfileOptions options;
  options.row_step = 2.0;
  options.col_step = 0.5;
  const LineProfile profile = line_profile(ramp(20, 30), {{1.5, 2.5}, {7.5, 10.5}}, options);
  EXPECT_EQ(profile.distance.front(), 0.0);
  EXPECT_NEAR(profile.distance.back(), std::hypot(6 * 2.0, 8 * 0.5), 1e-12);
  EXPECT_EQ(profile.distance.size(), 11U);  // 10 pixels long
}

TEST(Profile, WidthTakesTheMeanOfParallelLines) {
  Plane plane{5, 9, std::vector<float>(45, 0.0F)};
  for (std::size_t c = 0; c < 9; ++c) plane.values[2 * 9 + c] = 30.0F;  // one bright row
  const PlaneLine along{{2.5, 1.5}, {2.5, 7.5}};
  ProfileOptions options;
  EXPECT_DOUBLE_EQ(line_profile(plane, along, options).values[3], 30.0);
  options.width = 3;
  EXPECT_DOUBLE_EQ(line_profile(plane, along, options).values[3], 10.0);
  // Half a pixel to each side: between bright and dark on both.
  options.width = 2;
  EXPECT_DOUBLE_EQ(line_profile(plane, along, options).values[3], 15.0);
}

TEST(Profile, LinesSideBySideLieAcrossInSpace) {
  // A sheet seen from the side in pixels four times as high as wide: all values along it are equal
  // in space, so a wide line across it sees what a thin one sees.
  const double high = 4.0;
  Plane plane{40, 160, {}};
  for (std::int64_t r = 0; r < plane.rows; ++r) {
    for (std::int64_t c = 0; c < plane.cols; ++c) {
      // The distance from a line through the middle, in the direction (1, 2) of rows and columns.
      const double row = high * (static_cast<double>(r) + 0.5 - 20.0);
      const double col = static_cast<double>(c) + 0.5 - 80.0;
      const double away = (col + 2.0 * row) / std::sqrt(5.0);
      plane.values.push_back(static_cast<float>(100.0 * std::exp(-0.5 * away * away / 64.0)));
    }
  }
  ProfileOptions options;
  options.row_step = high;
  // Across the sheet, in space in the direction (2, 1) of rows and columns.
  const PlaneLine across{{20.0 - 15.0, 80.0 - 30.0}, {20.0 + 15.0, 80.0 + 30.0}};
  const auto thin = width_at_half_maximum(line_profile(plane, across, options));
  options.width = 9;
  const auto wide = width_at_half_maximum(line_profile(plane, across, options));
  ASSERT_TRUE(thin && wide);
  // Linear between rows 4 apart, which adds about 4² / 6 · 4 / 5 to the variance of 64. Lines that
  // were perpendicular in pixels would be 3 apart across the sheet and add 60.
  const double seen = 2.3548 * std::sqrt(64.0 + 16.0 / 6.0 * 0.8);
  EXPECT_NEAR(thin->width(), seen, 0.2);
  EXPECT_NEAR(wide->width(), seen, 0.2);
}

TEST(Profile, StaysInsideAndKeepsNaNWhereItIs) {
  Plane plane = ramp(3, 4);
  plane.values[1 * 4 + 2] = std::numeric_limits<float>::quiet_NaN();
  // Up to the edge the outermost pixel counts; beyond it nothing is invented.
  ProfileOptions five;
  five.samples = 5;
  const LineProfile out = line_profile(plane, {{0.0, 2.0}, {0.0, 6.0}}, five);
  EXPECT_EQ(out.values[0], 1.5);
  EXPECT_EQ(out.values[2], 3.0);
  EXPECT_TRUE(std::isnan(out.values[3]));
  EXPECT_TRUE(std::isnan(out.values[4]));
  // A wide line beside the edge is the mean of what there is.
  five.width = 3;
  EXPECT_EQ(line_profile(plane, {{0.5, 0.5}, {0.5, 3.5}}, five).values[0], 5.0);
  // Through the centres of row 1: exactly one value is no number.
  const LineProfile through = line_profile(plane, {{1.5, 0.5}, {1.5, 3.5}});
  ASSERT_EQ(through.values.size(), 4U);
  EXPECT_EQ(through.values[1], 11.0);
  EXPECT_TRUE(std::isnan(through.values[2]));
  EXPECT_EQ(through.values[3], 13.0);
}

TEST(Profile, OfNothingIsEmptyAndOfAPointOneSample) {
  EXPECT_TRUE(line_profile(Plane{}, {{0, 0}, {1, 1}}).values.empty());
  EXPECT_TRUE(line_profile(Plane{2, 2, {1.0F}}, {{0, 0}, {1, 1}}).values.empty());
  EXPECT_EQ(line_profile(ramp(3, 3), {{1.5, 1.5}, {1.5, 1.5}}).values, std::vector<double>{11.0});
}

TEST(Profile, TakesAsManySamplesAsAskedFor) {
  ProfileOptions options;
  options.samples = 50;
  EXPECT_EQ(line_profile(ramp(8, 8), {{1.5, 1.5}, {5.5, 1.5}}, options).values.size(), 50U);
}

LineProfile profile_of(const std::vector<double>& values, double step = 1.0) {
  LineProfile out;
  out.values = values;
  for (std::size_t i = 0; i < values.size(); ++i) {
    out.distance.push_back(step * static_cast<double>(i));
  }
  return out;
}

TEST(Profile, AGaussianIsTwiceTheRootOfTwoLogTwoWide) {
  const double sigma = 4.0;
  std::vector<double> values;
  for (int i = 0; i <= 60; ++i) {
    values.push_back(50.0 + 900.0 * std::exp(-0.5 * std::pow((i - 30.3) / sigma, 2)));
  }
  const auto peak = width_at_half_maximum(profile_of(values, 0.25));
  ASSERT_TRUE(peak.has_value());
  EXPECT_NEAR(peak->width(), 0.25 * 2.0 * std::sqrt(2.0 * std::log(2.0)) * sigma, 0.02);
  EXPECT_NEAR(0.5 * (peak->begin + peak->end), 0.25 * 30.3, 0.01);
  // The sample next to the top, and the background far from it.
  EXPECT_NEAR(peak->level, 50.0 + 450.0 * std::exp(-0.5 * std::pow(0.3 / sigma, 2)), 1e-6);
}

TEST(Profile, OnlyTheHighestPeakIsMeasured) {
  // A triangle of height 8 on 2, half of it on a line of its own; the other peak is lower.
  const auto peak = width_at_half_maximum(profile_of({2, 7, 2, 2, 4, 6, 8, 10, 8, 6, 4, 2}));
  ASSERT_TRUE(peak.has_value());
  EXPECT_DOUBLE_EQ(peak->level, 6.0);
  EXPECT_DOUBLE_EQ(peak->begin, 5.0);
  EXPECT_DOUBLE_EQ(peak->end, 9.0);
}

TEST(Profile, WhatDoesNotFallToHalfHasNoWidth) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(width_at_half_maximum(profile_of({9, 8, 3, 1})));  // rises outside of the line
  EXPECT_FALSE(width_at_half_maximum(profile_of({1, 3, 8, 9})));
  EXPECT_FALSE(width_at_half_maximum(profile_of({5, 5, 5})));  // flat
  EXPECT_FALSE(width_at_half_maximum(profile_of({1, none, 9, 1})));
  EXPECT_FALSE(width_at_half_maximum(profile_of({none, none})));
  EXPECT_FALSE(width_at_half_maximum(LineProfile{}));
}

}  // namespace
}  // namespace aprscope
