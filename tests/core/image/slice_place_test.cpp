#include "core/image/slice_place.hpp"

#include <gtest/gtest.h>

namespace aprscope {
namespace {

TEST(SlicePlace, RegionsOfSlicesStayInTheImage) {
  const Size3 size{5, 6, 7};
  EXPECT_EQ(region_of_slice(size, {Axis::z, 4}), (Region{{4, 0, 0}, {5, 6, 7}}));
  EXPECT_EQ(region_of_slice(size, {Axis::x, 0}), (Region{{0, 0, 0}, {5, 1, 7}}));
  EXPECT_EQ(region_of_slice(size, {Axis::y, 6}), (Region{{0, 0, 6}, {5, 6, 7}}));
  EXPECT_EQ(region_of_slices(size, Axis::y, -3, 2), (Region{{0, 0, 0}, {5, 6, 2}}));
  EXPECT_EQ(region_of_slices(size, Axis::x, 4, 99), (Region{{0, 4, 0}, {5, 6, 7}}));
  EXPECT_EQ(region_of_slices(size, Axis::z, 7, 9).size().count(), 0);
  EXPECT_EQ(region_of_slices(size, Axis::z, -9, -2).size().count(), 0);
}

}  // namespace
}  // namespace aprscope
