#include "core/image/level_set.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

TEST(LevelSet, HasItsThreshold) {
  EXPECT_TRUE((LevelSet{3.0, LevelSets::superlevel}.contains(3.0)));
  EXPECT_TRUE((LevelSet{3.0, LevelSets::sublevel}.contains(3.0)));
  EXPECT_FALSE((LevelSet{3.0, LevelSets::superlevel}.contains(2.9)));
  EXPECT_FALSE((LevelSet{3.0, LevelSets::sublevel}.contains(3.1)));
  EXPECT_FALSE((LevelSet{3.0, LevelSets::superlevel}.contains(std::nan(""))));
  EXPECT_FALSE((LevelSet{3.0, LevelSets::sublevel}.contains(std::nan(""))));
}

TEST(LevelSet, IsMarkedWithItsBorder) {
  // 5 × 5 pixels, of which the 3 × 3 in the middle belong to it.
  const std::int64_t cols = 5;
  std::vector<float> values(25, 0.0F);
  for (const std::size_t i : {6U, 7U, 8U, 11U, 12U, 13U, 16U, 17U, 18U}) values[i] = 9.0F;
  values[24] = std::nanf("");
  std::vector<std::uint8_t> rgba(100, 100);
  LevelSetMarks marks;
  marks.set = {9.0, LevelSets::superlevel};
  marks.color = {200, 0, 100};
  marks.inside = 0.5;
  marks.edge = 1.0;
  marks.darker = 0.25;
  mark_level_set(values, cols, marks, rgba);
  const auto pixel = [&](std::size_t i) {
    return std::array<int, 4>{rgba[4 * i], rgba[4 * i + 1], rgba[4 * i + 2], rgba[4 * i + 3]};
  };
  EXPECT_EQ(pixel(12), (std::array<int, 4>{150, 50, 100, 100}));
  for (const std::size_t i : {6U, 7U, 8U, 11U, 13U, 16U, 17U, 18U}) {
    EXPECT_EQ(pixel(i), (std::array<int, 4>{200, 0, 100, 100})) << i;
  }
  EXPECT_EQ(pixel(0), (std::array<int, 4>{75, 75, 75, 100}));
  EXPECT_EQ(pixel(24), (std::array<int, 4>{100, 100, 100, 100}));  // nothing is known of it
}

TEST(LevelSet, ReachesTheBorderOfThePictureWithoutAnEdge) {
  std::vector<float> values(6, 1.0F);
  std::vector<std::uint8_t> rgba(24, 0);
  mark_level_set(values, 3, {{1.0, LevelSets::sublevel}, {100, 100, 100}, 0.5, 1.0, 0.0}, rgba);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(rgba[4 * i], 50) << i;
}

}  // namespace
}  // namespace aprscope
