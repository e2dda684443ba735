#include "core/image/extent.hpp"

#include <gtest/gtest.h>

namespace aprscope {
namespace {

TEST(SameExtent, OfAnOverviewAndTheWhole) {
  const VoxelSize fine{2.0, 0.5, 0.5, "µm"};
  const VoxelSize coarse{8.0, 2.0, 2.0, "µm"};
  EXPECT_TRUE(same_extent({64, 96, 128}, fine, {16, 24, 32}, coarse));
  // The last cells of a level may reach beyond the image.
  EXPECT_TRUE(same_extent({61, 93, 125}, fine, {16, 24, 32}, coarse));
  EXPECT_TRUE(same_extent({16, 24, 32}, coarse, {61, 93, 125}, fine));
  EXPECT_FALSE(same_extent({60, 93, 125}, fine, {16, 24, 32}, coarse));
  EXPECT_FALSE(same_extent({512, 64, 64}, fine, {88, 64, 64}, fine));
  EXPECT_FALSE(same_extent({64, 96, 128}, fine, {16, 24, 32}, {8.0, 2.0, 2.0, "px"}));
  EXPECT_TRUE(same_extent({5, 6, 7}, fine, {5, 6, 7}, fine));
}

}  // namespace
}  // namespace aprscope
