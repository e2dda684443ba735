#include "core/image/difference.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

TEST(Difference, IsTheSecondMinusTheFirst) {
  const Plane a{1, 3, {1.0F, 5.0F, -2.0F}};
  const Plane b{1, 3, {4.0F, 5.0F, -7.0F}};
  EXPECT_EQ(difference(a, b).values, (std::vector<float>{3.0F, 0.0F, -5.0F}));
  EXPECT_EQ(difference(b, a).values, (std::vector<float>{-3.0F, 0.0F, 5.0F}));
}

TEST(Difference, OfOtherShapesIsEmpty) {
  EXPECT_TRUE(difference({1, 3, {1, 2, 3}}, {3, 1, {1, 2, 3}}).values.empty());
}

TEST(Difference, ContrastIsSymmetricAndLeavesOutliersOut) {
  std::vector<float> values;
  for (int i = 1; i <= 10000; ++i) values.push_back(static_cast<float>(i % 2 == 0 ? i : -i));
  values.front() = 1e9F;
  const Contrast contrast = symmetric_contrast(values);
  EXPECT_EQ(contrast.low, -contrast.high);
  // Ten of ten thousand lie above the quantile.
  EXPECT_NEAR(contrast.high, 9991.0, 2.0);
}

TEST(Difference, ContrastOfNothingIsOne) {
  const std::vector<float> nothing{0.0F, 0.0F, std::numeric_limits<float>::quiet_NaN(),
                                   std::numeric_limits<float>::infinity()};
  EXPECT_EQ(symmetric_contrast(nothing), (Contrast{-1.0, 1.0, 1.0}));
  // They do not count as zeros either.
  std::vector<float> holes(100000, std::numeric_limits<float>::quiet_NaN());
  for (int i = 0; i < 1000; ++i) {
    holes[static_cast<std::size_t>(i)] = i < 2 ? 50.0F : 3.0F;
  }
  EXPECT_EQ(symmetric_contrast(holes).high, 50.0);
  // A single small difference among zeros sets the range, however rare.
  std::vector<float> rare(100000, 0.0F);
  rare[77] = -0.25F;
  EXPECT_EQ(symmetric_contrast(rare).high, 0.25);
}

TEST(Difference, PlaneBecomesAnImageOfOneSlice) {
  const Pixels<float> image = plane_image({2, 3, {1, 2, 3, 4, 5, 6}});
  EXPECT_EQ(image.size, (Size3{1, 2, 3}));
  EXPECT_EQ(image.at(0, 1, 2), 6.0F);
}

}  // namespace
}  // namespace aprscope
