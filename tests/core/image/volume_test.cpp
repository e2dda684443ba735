#include "core/image/volume.hpp"

#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

Volume counted() {
  Pixels<float> pixels({2, 3, 4});
  std::iota(pixels.values.begin(), pixels.values.end(), 0.0F);
  Volume volume;
  volume.pixels = pixels;
  return volume;
}

TEST(Volume, YIsContiguousThenXThenZ) {
  const Volume v = counted();
  EXPECT_EQ(v.value({0, 0, 1}), 1.0F);
  EXPECT_EQ(v.value({0, 1, 0}), 4.0F);
  EXPECT_EQ(v.value({1, 0, 0}), 12.0F);
  EXPECT_STREQ(v.dtype(), "f32");
  EXPECT_EQ(v.bytes(), 24U * 4U);
}

TEST(SlicePixels, EachAxisShowsTheOtherTwo) {
  const Volume v = counted();
  const Plane z = slice_pixels(v, Axis::z, 1);
  EXPECT_EQ(z.rows, 3);
  EXPECT_EQ(z.cols, 4);
  EXPECT_EQ(z.values[5], v.value({1, 1, 1}));
  const Plane x = slice_pixels(v, Axis::x, 2);
  EXPECT_EQ(x.rows, 2);
  EXPECT_EQ(x.cols, 4);
  EXPECT_EQ(x.values[6], v.value({1, 2, 2}));
  const Plane y = slice_pixels(v, Axis::y, 3);
  EXPECT_EQ(y.rows, 2);
  EXPECT_EQ(y.cols, 3);
  EXPECT_EQ(y.values[4], v.value({1, 1, 3}));
}

TEST(SlicePixels, IndexIsClamped) {
  const Volume v = counted();
  EXPECT_EQ(slice_pixels(v, Axis::z, -4).values, slice_pixels(v, Axis::z, 0).values);
  EXPECT_EQ(slice_pixels(v, Axis::z, 99).values, slice_pixels(v, Axis::z, 1).values);
}

TEST(CountNonFinite, CountsAndNamesTheFirst) {
  Volume v = counted();
  EXPECT_EQ(count_non_finite(v).count, 0U);
  auto& pixels = std::get<Pixels<float>>(v.pixels);
  pixels.at(1, 2, 1) = std::nanf("");
  pixels.at(1, 2, 3) = std::numeric_limits<float>::infinity();
  const NonFinite found = count_non_finite(v);
  EXPECT_EQ(found.count, 2U);
  EXPECT_EQ(found.first, (Index3{1, 2, 1}));
}

}  // namespace
}  // namespace aprscope
