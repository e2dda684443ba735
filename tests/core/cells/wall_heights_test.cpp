#include "core/cells/wall_heights.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

float lower_median(std::vector<float> heights) {
  std::sort(heights.begin(), heights.end());
  return heights[(heights.size() - 1) / 2];
}

TEST(WallHeights, MedianAndLowestAreThoseOfSorting) {
  std::mt19937 random(3);
  for (const int values : {3, 1000, 1 << 24}) {
    for (std::size_t n = 1; n < 40; ++n) {
      std::vector<float> heights(n);
      for (float& h : heights) h = static_cast<float>(random() % static_cast<unsigned>(values));
      const WallHeights made(heights);
      EXPECT_EQ(made.size(), n);
      EXPECT_EQ(made.median(), lower_median(heights));
      EXPECT_EQ(made.lowest(), *std::min_element(heights.begin(), heights.end()));
    }
  }
}

// Walls of all sizes become one in any order: as many at once, one more, and many more than are
// there.
TEST(WallHeights, ManyThatBecomeOneAreAllTogether) {
  std::mt19937 random(5);
  for (int turn = 0; turn < 50; ++turn) {
    std::vector<float> all;
    WallHeights together;
    for (int wall = 0; wall < 60; ++wall) {
      const std::size_t n = 1 + random() % (wall % 3 == 0 ? 2U : wall % 3 == 1 ? 20U : 400U);
      // Walls rise and fall, so that halves do not stay what they were.
      std::vector<float> heights(n);
      for (float& h : heights) {
        h = static_cast<float>(random() % 50U) + (wall % 2 == 0 ? 30.0F : 0.0F) -
            static_cast<float>(wall);
      }
      all.insert(all.end(), heights.begin(), heights.end());
      WallHeights next(heights);
      if (wall == 0) {
        together = std::move(next);
      } else {
        together.take(std::move(next));
        EXPECT_EQ(next.size(), 0U);  // NOLINT(bugprone-use-after-move): it says so.
      }
      ASSERT_EQ(together.size(), all.size());
      ASSERT_EQ(together.median(), lower_median(all));
      ASSERT_EQ(together.lowest(), *std::min_element(all.begin(), all.end()));
    }
  }
}

}  // namespace
}  // namespace aprscope
