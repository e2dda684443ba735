#include "core/maps/directional_fsc.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "core/image/random.hpp"

namespace aprscope {
namespace {

constexpr std::int64_t kSide = 48;
constexpr double kSigma = 2.0;

float normal(std::uint64_t seed, std::int64_t z, std::int64_t y, std::int64_t x) {
  const CounterRandom random(seed, static_cast<std::uint64_t>(z * kSide + y));
  return static_cast<float>(random.normal(static_cast<std::uint64_t>(x)));
}

// Noise that both halves share, blurred along the slowest axis (z) by a periodic Gaussian, and
// noise of their own.
std::vector<float> half_map(std::uint64_t seed) {
  std::vector<double> kernel;
  for (std::int64_t d = -12; d <= 12; ++d) {
    kernel.push_back(std::exp(-static_cast<double>(d * d) / (2 * kSigma * kSigma)) /
                     (kSigma * std::sqrt(2 * std::numbers::pi)));
  }
  std::vector<float> map;
  for (std::int64_t z = 0; z < kSide; ++z) {
    for (std::int64_t y = 0; y < kSide; ++y) {
      for (std::int64_t x = 0; x < kSide; ++x) {
        double value = 0.25 * normal(seed, z, y, x);
        for (std::int64_t d = -12; d <= 12; ++d) {
          value +=
              kernel[static_cast<std::size_t>(d + 12)] * normal(1, (z + d + kSide) % kSide, y, x);
        }
        map.push_back(static_cast<float>(value));
      }
    }
  }
  return map;
}

// The signal's power at frequency k along z is exp(−4π²σ²k²): FSC = that ÷ (that + noise).
double expected(double kz) {
  const double power =
      std::exp(-4 * std::numbers::pi * std::numbers::pi * kSigma * kSigma * kz * kz);
  return power / (power + 0.0625);
}

TEST(DirectionalFsc, FallsAlongTheAxisThatIsBlurredAlone) {
  const auto found = directional_fsc(half_map(2), half_map(3), kSide);
  ASSERT_TRUE(found.ok()) << found.error().message();
  ASSERT_EQ(found->curves.size(), found->directions.size());
  ASSERT_EQ(found->lowest.size(), static_cast<std::size_t>(kSide / 2 + 1));
  // Nearest to z, and nearest to the plane across it.
  std::size_t along = 0;
  std::size_t across = 0;
  for (std::size_t d = 0; d < found->directions.size(); ++d) {
    const auto& n = found->directions[d];
    EXPECT_NEAR(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1.0, 1e-12);
    if (n[2] > found->directions[along][2]) along = d;
    if (n[2] < found->directions[across][2]) across = d;
  }
  for (std::size_t s = 8; s < 24; ++s) {
    const double k = static_cast<double>(s) / kSide;
    // 4 standard deviations of the correlation of the numbers in a cone, which has 6 % of the
    // 2π s² that a half shell has.
    const double numbers = 2 * std::numbers::pi * static_cast<double>(s * s) * 0.0603;
    const double chance = 4.0 / std::sqrt(2.0 * numbers);
    // Within the cone kz is between cos 32° (the axis is not quite z) and 1 times k.
    EXPECT_GE(found->curves[along][s], expected(k) - chance) << s;
    EXPECT_LE(found->curves[along][s], expected(k * std::cos(0.56)) + chance) << s;
    // Across: at most sin 21° of it.
    EXPECT_GE(found->curves[across][s], expected(k * 0.36) - 0.1) << s;
    EXPECT_LE(found->lowest[s], found->curves[along][s]) << s;
    EXPECT_GE(found->highest[s], found->curves[across][s]) << s;
  }
  EXPECT_LT(found->lowest[14], 0.15);
  EXPECT_GT(found->highest[14], 0.85);
}

TEST(DirectionalFsc, AMapAgreesWithItselfEverywhereAndThreadsDoNotMatter) {
  const auto map = half_map(4);
  const auto same = directional_fsc(map, map, kSide);
  ASSERT_TRUE(same.ok());
  for (std::size_t s = 4; s < same->lowest.size(); ++s) {
    EXPECT_NEAR(same->lowest[s], 1.0, 1e-9) << s;
    EXPECT_NEAR(same->highest[s], 1.0, 1e-9) << s;
  }
  const auto other = half_map(5);
  const auto all = directional_fsc(map, other, kSide);
  const int before = thread_count();
  set_thread_count(1);
  const auto one = directional_fsc(map, other, kSide);
  set_thread_count(before);
  ASSERT_TRUE(all.ok() && one.ok());
  for (std::size_t s = 4; s < all->lowest.size(); ++s) {
    EXPECT_EQ(all->lowest[s], one->lowest[s]) << s;
    EXPECT_EQ(all->highest[s], one->highest[s]) << s;
  }
  EXPECT_FALSE(directional_fsc(map, other, kSide - 1).ok());
}

}  // namespace
}  // namespace aprscope
