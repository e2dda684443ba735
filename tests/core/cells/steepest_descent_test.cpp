// Where water flows from each pixel, before plateaus are crossed.
#include "core/cells/steepest_descent.hpp"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "tests/core/cells/support/naive_flood.hpp"

namespace aprscope {
namespace {

constexpr Connectivity kEachNear[] = {Connectivity::faces, Connectivity::edges,
                                      Connectivity::corners};

TEST(SteepestDescent, LeadsToTheLowestNeighbour) {
  const Size3 n{5, 6, 7};
  const auto image = test::shuffled_image<std::uint16_t>(n, 3);
  for (const Connectivity near : kEachNear) {
    std::vector<std::uint8_t> ways(image.values.size());
    const JobContext context;
    const flood::Descent<std::uint16_t, false> descent(image, near, context, ways.data());
    ASSERT_TRUE(flood::descend_steepest(descent, {}));
    for (std::size_t i = 0; i < ways.size(); ++i) {
      std::size_t lowest = i;
      test::naive_neighbours(n, near, i, [&](std::size_t j) {
        if (image.values[j] < image.values[lowest]) lowest = j;
      });
      if (lowest == i) {
        EXPECT_EQ(ways[i], flood::kMinimum) << i;
        continue;
      }
      ASSERT_LT(ways[i], descent.steps().count) << i;
      EXPECT_EQ(static_cast<std::int64_t>(i) + descent.step(ways[i]).offset,
                static_cast<std::int64_t>(lowest));
    }
  }
}

TEST(SteepestDescent, SaysWhyThereIsNoWay) {
  Pixels<float> image({1, 1, 7});
  image.values = {3, 3, 3, 1, std::numeric_limits<float>::infinity(), 2, 4};
  std::vector<std::uint8_t> ways(7);
  const JobContext context;
  const flood::Descent<float, false> descent(image, Connectivity::faces, context, ways.data());
  const std::vector<FloodMarker> markers{{6, 1}};
  ASSERT_TRUE(flood::descend_steepest(descent, markers));
  EXPECT_EQ(ways[0], flood::kInner);
  EXPECT_EQ(ways[1], flood::kInner);
  EXPECT_EQ(descent.step(ways[2]).offset, 1);
  EXPECT_EQ(ways[3], flood::kMinimum);
  EXPECT_EQ(ways[4], flood::kOutside);
  // A minimum, were the marker not the lowest of all.
  EXPECT_EQ(descent.step(ways[5]).offset, 1);
  EXPECT_EQ(ways[6], flood::kMarked);
}

}  // namespace
}  // namespace aprscope
