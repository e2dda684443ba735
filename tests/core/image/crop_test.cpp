#include "core/image/crop.hpp"

#include <gtest/gtest.h>

#include "core/image/labels.hpp"

namespace aprscope {
namespace {

Volume counted(const Size3& size) {
  Pixels<std::uint16_t> pixels(size);
  for (std::size_t i = 0; i < pixels.values.size(); ++i) {
    pixels.values[i] = static_cast<std::uint16_t>(i);
  }
  Volume out;
  out.pixels = std::move(pixels);
  return out;
}

TEST(CropVolume, KeepsPixelsTypeAndPlace) {
  Volume image = counted({4, 5, 6});
  image.voxel = {2.0, 0.5, 0.25, "µm"};
  image.origin = {10.0, 20.0, 30.0};
  image.name = "stack";
  image.channel = "green";
  image.time = 3;
  const Volume made = crop(image, {{1, 2, 3}, {3, 5, 6}});
  EXPECT_STREQ(made.dtype(), "u16");
  ASSERT_EQ(made.size(), (Size3{2, 3, 3}));
  for (std::int64_t z = 0; z < 2; ++z) {
    for (std::int64_t x = 0; x < 3; ++x) {
      for (std::int64_t y = 0; y < 3; ++y) {
        EXPECT_EQ(made.value({z, x, y}), image.value({z + 1, x + 2, y + 3}));
      }
    }
  }
  EXPECT_EQ(made.voxel, image.voxel);
  EXPECT_EQ(made.origin, (std::array<double, 3>{12.0, 21.0, 30.75}));
  EXPECT_EQ(made.name, "stack");
  EXPECT_EQ(made.channel, "green");
  EXPECT_EQ(made.time, 3);
  EXPECT_FALSE(made.labels);
}

TEST(CropVolume, TakesItsLabelsAlong) {
  Volume image = counted({1, 4, 4});
  Labels labels;
  labels.values = {0, 1, 1, 0, 0, 2, 2, 0, 0, 0, 9, 0, 0, 0, 0, 0};
  labels.largest = 9;
  image.labels = std::make_shared<const Labels>(labels);
  const Volume made = crop(image, {{0, 0, 1}, {1, 2, 3}});
  ASSERT_TRUE(made.labels);
  EXPECT_EQ(made.labels->values, (std::vector<std::uint32_t>{1, 1, 2, 2}));
  EXPECT_EQ(made.labels->largest, 2U);
}

}  // namespace
}  // namespace aprscope
