#include "core/maps/detector_mtf.hpp"

#include <gtest/gtest.h>

#include "core/maps/map_spectrum.hpp"
#include "core/maps/sharpening.hpp"
#include "core/maps/shells.hpp"
#include "tests/core/maps/test_maps.hpp"

namespace aprscope {
namespace {

constexpr std::int64_t kSide = 32;
constexpr double kVoxel = 1.5;

// Images with pixels of 2 Å.
const DetectorMtf& curve() {
  static const DetectorMtf mtf({0.1, 0.3, 0.5}, {0.9, 0.5, 0.2}, 2.0);
  return mtf;
}

TEST(DetectorMtf, IsReadOnStraightLines) {
  // 1/Å: 0.1 1/px are 0.05.
  EXPECT_DOUBLE_EQ(curve().at(0.05), 0.9);
  EXPECT_DOUBLE_EQ(curve().at(0.10), 0.7);
  EXPECT_DOUBLE_EQ(curve().at(0.15), 0.5);
  EXPECT_NEAR(curve().at(0.20), 0.35, 1e-12);
  EXPECT_DOUBLE_EQ(curve().at(0.25), 0.2);
  // Beyond its ends.
  EXPECT_EQ(curve().at(0.0), 0.9);
  EXPECT_EQ(curve().at(0.7), 0.2);
}

TEST(DetectorMtf, SaysWhereItIsTooLow) {
  EXPECT_FALSE(curve().falls_below(0.2));
  EXPECT_NEAR(curve().falls_below(0.35).value_or(0.0), 0.2, 1e-12);
  EXPECT_EQ(curve().falls_below(0.95), 0.0);
  EXPECT_TRUE(check_mtf(curve(), 10.0));
  const DetectorMtf low({0.0, 0.4, 0.5}, {1.0, 2e-3, 1e-9}, 1.0);
  EXPECT_TRUE(check_mtf(low, 0.44));
  const Status bad = check_mtf(low, 0.48);
  ASSERT_FALSE(bad);
  EXPECT_NE(
      bad.error().message().find("below 0.001 from 0.450 1/Å on, and frequencies up to 0.480"),
      std::string::npos)
      << bad.error().message();
}

TEST(DetectorMtf, AmplitudesAreDividedByIt) {
  const auto map = test::noise_map(kSide, 5);
  const auto before = *MapSpectrum::of(map, kSide);
  auto after = *MapSpectrum::of(map, kSide);
  divide_by_mtf(after, curve(), kVoxel);
  const double length = static_cast<double>(kSide) * kVoxel;
  for (const auto& [z, y, kx] : {std::array{0, 0, 0}, {0, 0, 5}, {31, 2, 3}, {16, 16, 16}}) {
    const auto kz = static_cast<double>(before.frequency(z));
    const auto ky = static_cast<double>(before.frequency(y));
    const double k = std::sqrt(kz * kz + ky * ky + static_cast<double>(kx * kx)) / length;
    const auto was = before.row(z, y)[kx];
    const auto is = after.row(z, y)[kx];
    EXPECT_NEAR(std::abs(is) / std::abs(was), 1.0 / curve().at(k), 1e-5) << z << y << kx;
  }
}

// A map that a detector and a B-factor blurred: sharpening finds the B-factor of the specimen.
TEST(DetectorMtf, SharpeningUndoesItBeforeTheFit) {
  const auto white = test::noise_map(kSide, 7);
  auto spectrum = *MapSpectrum::of(white, kSide);
  const double length = static_cast<double>(kSide) * kVoxel;
  spectrum.multiply([&](double k) {
    const double at = k / length;
    return curve().at(at) * std::exp(-100.0 * at * at / 4.0);
  });
  const auto blurred = *std::move(spectrum).to_map();
  SharpenSettings settings;
  const auto without = sharpened(blurred, kSide, kVoxel, settings);
  settings.mtf = curve();
  const auto with = sharpened(blurred, kSide, kVoxel, settings);
  ASSERT_TRUE(without && with);
  EXPECT_NEAR(with->b_factor, -100.0, 8.0);
  EXPECT_LT(without->b_factor, with->b_factor - 20.0);
  const auto amplitude = radial_amplitude(*MapSpectrum::of(with->map, kSide));
  const auto expected = radial_amplitude(*MapSpectrum::of(white, kSide));
  for (std::size_t s = 1; s < 15; ++s) EXPECT_NEAR(amplitude[s] / expected[s], 1.0, 0.1) << s;
}

TEST(DetectorMtf, HasToBeThereWhereSomethingIsKept) {
  const auto map = test::noise_map(kSide, 7);
  SharpenSettings settings;
  settings.b_factor = -50.0;
  settings.low_pass = 3.0;
  // Below 0.001 from 0.3 1/Å on, 3.3 Å.
  settings.mtf = DetectorMtf({0.0, 0.3, 0.31, 0.5}, {1.0, 1e-3, 1e-30, 1e-300}, 1.0);
  const auto fine = sharpened(map, kSide, kVoxel, settings);
  ASSERT_FALSE(fine);
  EXPECT_NE(fine.error().message().find("MTF"), std::string::npos);
  settings.low_pass = 4.0;
  const auto coarse = sharpened(map, kSide, kVoxel, settings);
  ASSERT_TRUE(coarse) << coarse.error().message();
  for (const float v : coarse->map) ASSERT_TRUE(std::isfinite(v));
  // Fitted to further than is kept.
  settings.b_factor.reset();
  settings.fit_to = 3.0;
  EXPECT_FALSE(sharpened(map, kSide, kVoxel, settings));
}

}  // namespace
}  // namespace aprscope
