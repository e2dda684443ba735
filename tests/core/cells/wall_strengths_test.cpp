// How strong the weakest wall of a cell is beside what is common.
#include "core/cells/wall_strengths.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

LabelRow row(std::uint32_t label, double mean) {
  LabelRow out;
  out.label = label;
  out.intensities.resize(1);
  out.intensities[0].mean = mean;
  return out;
}

WallStatistics wall(std::uint32_t a, std::uint32_t b, double median) {
  WallStatistics out;
  out.a = a;
  out.b = b;
  out.median = median;
  return out;
}

// Heights above the brighter cell: 100, 100, 100, 20, and none.
TEST(WallStrengths, AreThoseOfTheWeakestWallBesideTheCommonOne) {
  const std::vector<LabelRow> rows{row(1, 10), row(2, 20), row(4, 30),
                                   row(7, 30), row(9, 10), row(12, 5)};
  const std::vector<WallStatistics> between{wall(1, 2, 120), wall(2, 4, 130), wall(4, 7, 130),
                                            wall(1, 7, 50), wall(7, 9, 25)};
  const auto found = wall_strengths(rows, between, false);
  ASSERT_EQ(found.size(), rows.size());
  EXPECT_DOUBLE_EQ(found[0], 0.4);  // 20 of half of 100
  EXPECT_DOUBLE_EQ(found[1], 1.0);
  EXPECT_DOUBLE_EQ(found[2], 1.0);
  EXPECT_DOUBLE_EQ(found[3], 0.0);
  EXPECT_DOUBLE_EQ(found[4], 0.0);
  EXPECT_TRUE(std::isnan(found[5]));
  // Upside down.
  std::vector<LabelRow> dark = rows;
  for (LabelRow& one : dark) one.intensities[0].mean = 255.0 - one.intensities[0].mean;
  std::vector<WallStatistics> walls = between;
  for (WallStatistics& one : walls) one.median = 255.0 - one.median;
  const auto same = wall_strengths(dark, walls, true);
  for (std::size_t i = 0; i + 1 < found.size(); ++i) EXPECT_DOUBLE_EQ(same[i], found[i]) << i;
}

TEST(WallStrengths, AreNotKnownWithoutWallsOrGreyValues) {
  const std::vector<LabelRow> rows{row(1, 10), row(2, 20)};
  for (const double one : wall_strengths(rows, {}, false)) EXPECT_TRUE(std::isnan(one));
  for (const double one : wall_strengths(rows, {wall(1, 2, 15)}, false)) {
    EXPECT_TRUE(std::isnan(one));
  }
  std::vector<LabelRow> bare(2);
  bare[0].label = 1;
  bare[1].label = 2;
  for (const double one : wall_strengths(bare, {wall(1, 2, 15)}, false)) {
    EXPECT_TRUE(std::isnan(one));
  }
}

}  // namespace
}  // namespace aprscope
