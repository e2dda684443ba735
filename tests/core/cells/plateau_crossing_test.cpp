// Where water flows from pixels of a plateau.
#include "core/cells/plateau_crossing.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "core/cells/steepest_descent.hpp"

namespace aprscope {
namespace {

// Ways in a row of pixels after both passes.
std::vector<std::uint8_t> ways_across(const std::vector<std::uint8_t>& heights) {
  Pixels<std::uint8_t> image({1, 1, static_cast<std::int64_t>(heights.size())});
  image.values = heights;
  std::vector<std::uint8_t> ways(heights.size());
  const JobContext context;
  const flood::Descent<std::uint8_t, false> descent(image, Connectivity::faces, context,
                                                    ways.data());
  EXPECT_TRUE(flood::descend_steepest(descent, {}));
  EXPECT_TRUE(flood::cross_plateaus(descent));
  return ways;
}

TEST(PlateauCrossing, LeadsToTheNearestLowerBorder) {
  const FloodSteps steps(Connectivity::faces, {1, 1, 10});
  const auto ways = ways_across({0, 5, 5, 5, 5, 5, 5, 5, 5, 1});
  for (std::size_t y = 1; y < 9; ++y) {
    const auto step = static_cast<std::size_t>(ways[y] & flood::kStep);
    EXPECT_EQ(steps.steps[step].offset, y < 5 ? -1 : 1) << y;
  }
  // Odd and even numbers of steps behind the border, which has neither.
  for (const std::size_t y : {1U, 8U}) EXPECT_EQ(ways[y] & ~flood::kStep, 0) << y;
  for (const std::size_t y : {2U, 4U, 5U, 7U}) {
    EXPECT_EQ(ways[y] & ~flood::kStep, flood::kOdd) << y;
  }
  for (const std::size_t y : {3U, 6U}) EXPECT_EQ(ways[y] & ~flood::kStep, flood::kEven) << y;
}

TEST(PlateauCrossing, LeavesFlatMinima) {
  const auto ways = ways_across({9, 5, 5, 5, 9});
  for (const std::size_t y : {1U, 2U, 3U}) EXPECT_EQ(ways[y], flood::kInner) << y;
}

}  // namespace
}  // namespace aprscope
