#include "core/cells/wall_signal.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "core/image/random.hpp"

namespace aprscope {
namespace {

TEST(WallSignal, FindsNoiseAndContrastOfAChessBoardOfLargeFields) {
  Pixels<float> image({4, 128, 128});
  const CounterRandom random(1, 1);
  for (std::size_t i = 0; i < image.values.size(); ++i) {
    const bool bright = (i / 64 + i / (128 * 64)) % 2 == 0;
    image.values[i] = static_cast<float>((bright ? 300.0 : 100.0) + 7.0 * random.normal(i));
  }
  const WallSignal found = wall_signal(image);
  // An edge reaches one pixel pair in 32: half of the rest is 0.517 of all, 3.4 % more.
  EXPECT_NEAR(found.noise, 7.24, 0.15);
  EXPECT_NEAR(found.contrast, 200.0, 1.0);
}

TEST(WallSignal, OfFlatOrTinyImagesIsNothing) {
  for (const Size3& n : {Size3{0, 0, 0}, Size3{1, 1, 1}, Size3{2, 3, 4}}) {
    const WallSignal found = wall_signal(Pixels<std::uint8_t>(n, 9));
    EXPECT_EQ(found.noise, 0.0);
    EXPECT_EQ(found.contrast, 0.0);
  }
}

TEST(WallSignal, LooksAtRowsFromAllOfALargeImage) {
  // More pixels than are looked at: bright in the second half only.
  Pixels<std::uint8_t> image({64, 512, 256}, 0);
  std::fill(image.values.begin() + 32 * 512 * 256, image.values.end(), std::uint8_t{200});
  EXPECT_NEAR(wall_signal(image).contrast, 200.0, 1e-9);
}

TEST(WallSignal, LeavesOutWhatIsNotFinite) {
  Pixels<float> image({1, 1, 6});
  constexpr float kOut = std::numeric_limits<float>::infinity();
  image.values = {0, kOut, 0, 10, 10, 10};
  EXPECT_NEAR(wall_signal(image).contrast, 10.0, 1e-9);
}

}  // namespace
}  // namespace aprscope
