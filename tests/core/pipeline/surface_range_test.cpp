#include "core/pipeline/surface_range.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/core/pipeline/data_builders.hpp"

namespace aprscope {
namespace {

std::shared_ptr<const Dataset> dataset(const Size3& size, const test::PixelFunction& f) {
  return Dataset::create(test::image_of(size, f));
}

// A block from 4 to 11 along each side.
std::shared_ptr<const Dataset> block() {
  return dataset({16, 16, 16}, [](auto z, auto x, auto y) {
    const auto in = [](std::int64_t i) { return i >= 4 && i < 12; };
    return in(z) && in(x) && in(y) ? 10.0 : 0.0;
  });
}

TEST(SurfaceRange, IsOfTheSurfaceAlone) {
  // Along z from 4 to 11 on the block; far more around and inside of it.
  const auto values = dataset({16, 16, 16}, [](auto z, auto x, auto y) {
    const auto in = [](std::int64_t i, std::int64_t edge) { return i >= edge && i < 16 - edge; };
    if (in(z, 5) && in(x, 5) && in(y, 5)) return 1e6;
    return in(z, 4) && in(x, 4) && in(y, 4) ? static_cast<double>(z) : -1e6;
  });
  const auto range = surface_range(*block(), LevelSet{5.0}, *values, false);
  ASSERT_TRUE(range);
  EXPECT_EQ(range->low, 4.0);
  EXPECT_EQ(range->high, 11.0);
}

TEST(SurfaceRange, LeavesOutAFewAtEachEnd) {
  // 296 pixels of the block are on its surface: five of them are extreme.
  const auto values = dataset({16, 16, 16}, [](auto z, auto x, auto y) {
    return z == 4 && x == 4 && y >= 4 && y < 9 ? 1000.0 : static_cast<double>(z);
  });
  const auto range = surface_range(*block(), LevelSet{5.0}, *values, false);
  ASSERT_TRUE(range);
  EXPECT_EQ(range->high, 11.0);
}

TEST(SurfaceRange, ZeroIsNoValueWhereOnlyPositiveOnesCount) {
  const auto values = dataset({16, 16, 16}, [](auto z, auto x, auto) {
    if (z == 9) return std::numeric_limits<double>::quiet_NaN();
    return x < 8 ? 0.0 : static_cast<double>(x);
  });
  const auto positive = surface_range(*block(), LevelSet{5.0}, *values, true);
  ASSERT_TRUE(positive);
  EXPECT_EQ(positive->low, 8.0);
  EXPECT_EQ(positive->high, 11.0);
  const auto all = surface_range(*block(), LevelSet{5.0}, *values, false);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->low, 0.0);
  EXPECT_EQ(all->high, 11.0);
}

TEST(SurfaceRange, IsOfAllWhereNoSurfaceIsMet) {
  const auto values =
      dataset({16, 16, 16}, [](auto z, auto, auto) { return static_cast<double>(z); });
  for (const double at : {20.0, -1.0}) {
    const auto range = surface_range(*block(), LevelSet{at}, *values, false);
    ASSERT_TRUE(range);
    EXPECT_EQ(range->low, 0.0);
    EXPECT_EQ(range->high, 15.0);
  }
  // Of particles, too.
  const auto particles = Dataset::create(Data(test::uniform_apr({16, 16, 16}, 2, test::rough)));
  const auto range = surface_range(*particles, LevelSet{0.0}, *values, false);
  ASSERT_TRUE(range);
  EXPECT_EQ(range->high, 15.0);
}

TEST(SurfaceRange, IsNoneWithoutValues) {
  const auto zeros = dataset({16, 16, 16}, [](auto, auto, auto) { return 0.0; });
  EXPECT_FALSE(surface_range(*block(), LevelSet{5.0}, *zeros, true));
  const auto other = dataset({8, 16, 16}, [](auto, auto, auto) { return 1.0; });
  EXPECT_FALSE(surface_range(*block(), LevelSet{5.0}, *other, false));
}

// Large data are looked at here and there, evenly.
TEST(SurfaceRange, OfLargeDataIsThatOfASample) {
  const Size3 size{96, 96, 96};
  const auto plates = dataset(size, [](auto z, auto, auto) { return z % 2 == 0 ? 1.0 : 0.0; });
  const auto values = dataset(size, [](auto, auto x, auto) { return static_cast<double>(x); });
  const auto range = surface_range(*plates, LevelSet{0.5}, *values, false);
  ASSERT_TRUE(range);
  EXPECT_NEAR(range->low, 1.9, 1.1);
  EXPECT_NEAR(range->high, 93.1, 1.1);
}

}  // namespace
}  // namespace aprscope
