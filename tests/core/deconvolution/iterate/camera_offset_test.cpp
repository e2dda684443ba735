#include "core/deconvolution/iterate/camera_offset.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "core/image/random.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope {
namespace {

// By sorting: the smallest value that 0.5 % of the pixels, one at least, do not exceed.
template <class T>
double by_sorting(std::vector<T> values) {
  std::sort(values.begin(), values.end());
  const auto rank = static_cast<std::size_t>(std::ceil(0.005 * static_cast<double>(values.size())));
  return std::max(0.0, static_cast<double>(values[std::max<std::size_t>(1, rank) - 1]));
}

TEST(CameraOffset, IsTheMedianOfTheDarkestPerCent) {
  for (const std::size_t count : {1U, 2U, 199U, 200U, 201U, 401U, 5000U}) {
    for (const std::uint64_t seed : {1U, 2U}) {
      const auto values = test::random_values(count, seed, -3.0F, 300.0F);
      EXPECT_EQ(guess_offset(std::span<const float>(values)), by_sorting(values)) << count;
      std::vector<std::uint16_t> u16(count);
      std::vector<std::uint8_t> u8(count);
      for (std::size_t i = 0; i < count; ++i) {
        u16[i] = static_cast<std::uint16_t>(100.0F + std::abs(values[i]));
        u8[i] = static_cast<std::uint8_t>(std::abs(values[i]) / 2.0F);
      }
      EXPECT_EQ(guess_offset(std::span<const std::uint16_t>(u16)), by_sorting(u16));
      EXPECT_EQ(guess_offset(std::span<const std::uint8_t>(u8)), by_sorting(u8));
      // The type that whole numbers are kept in makes no difference.
      const std::vector<float> same(u16.begin(), u16.end());
      EXPECT_EQ(guess_offset(std::span<const float>(same)),
                guess_offset(std::span<const std::uint16_t>(u16)));
    }
  }
}

TEST(CameraOffset, FindsACamerasOffsetWhateverTheSpecimenAndDeadPixelsAre) {
  for (const double bright : {500.0, 60000.0}) {
    std::vector<std::uint16_t> image(100000);
    const CounterRandom random(3, 1);
    for (std::size_t i = 0; i < image.size(); ++i) {
      const double light = i % 10 == 0 ? bright : 0.0;
      image[i] = static_cast<std::uint16_t>(
          std::clamp(std::round(100.0 + 2.0 * random.normal(i) + light), 0.0, 65535.0));
    }
    for (std::size_t i = 0; i < 300; ++i) image[i * 331] = 0;  // 0.3 % of them
    const double guess = guess_offset(std::span<const std::uint16_t>(image));
    EXPECT_GE(guess, 100.0 - 3.0 * 2.0);
    EXPECT_LE(guess, 100.0);
    EXPECT_EQ(guess, std::floor(guess));
    std::shuffle(image.begin(), image.end(), std::mt19937(5));
    EXPECT_EQ(guess_offset(std::span<const std::uint16_t>(image)), guess);
  }
  // No noise, no guesswork.
  std::vector<std::uint8_t> flat(1000, 7);
  std::fill(flat.begin() + 100, flat.end(), std::uint8_t{90});
  EXPECT_EQ(guess_offset(std::span<const std::uint8_t>(flat)), 7.0);
}

TEST(CameraOffset, AParticleCountsAsThePixelsThatItCovers) {
  const auto access = test::random_access({{20, 24, 28}, 5, 0.5, true});
  const auto values = test::random_values(access->count(), 6, 90.0F, 200.0F);
  const auto pixels = test::naive_reconstruct(*access, values);
  EXPECT_EQ(guess_offset(values, cell_volumes(*access)), by_sorting(pixels.values));
}

TEST(CameraOffset, LeavesOutWhatIsNotFiniteAndIsNeverNegative) {
  std::vector<float> values(1000, 12.5F);
  values[1] = std::numeric_limits<float>::quiet_NaN();
  values[2] = -std::numeric_limits<float>::infinity();
  EXPECT_EQ(guess_offset(std::span<const float>(values)), 12.5);
  std::fill(values.begin(), values.end(), -4.0F);
  EXPECT_EQ(guess_offset(std::span<const float>(values)), 0.0);
  std::fill(values.begin(), values.end(), std::numeric_limits<float>::quiet_NaN());
  EXPECT_EQ(guess_offset(std::span<const float>(values)), 0.0);
  EXPECT_EQ(guess_offset(std::span<const float>()), 0.0);
  EXPECT_EQ(guess_offset(std::span<const std::uint8_t>()), 0.0);
  // Particles without values.
  EXPECT_EQ(guess_offset({}, cell_volumes(*test::full_access({2, 3, 4}))), 0.0);
}

}  // namespace
}  // namespace aprscope
