#include "core/maps/sharpening.hpp"

#include <gtest/gtest.h>

#include "core/maps/map_filters.hpp"
#include "core/maps/map_spectrum.hpp"
#include "core/maps/shells.hpp"
#include "core/projections/phantom.hpp"
#include "tests/core/maps/test_maps.hpp"

namespace aprscope {
namespace {

constexpr std::int64_t kSide = 48;
constexpr double kVoxel = 1.5;

// White noise whose amplitudes fall by a B-factor: exp(−B k²/4), B > 0 blurs.
std::vector<float> blurred_noise(double b) {
  auto spectrum = *MapSpectrum::of(test::noise_map(kSide, 3), kSide);
  const double length = static_cast<double>(kSide) * kVoxel;
  spectrum.multiply([&](double k) { return std::exp(-b * k * k / (4.0 * length * length)); });
  return *std::move(spectrum).to_map();
}

TEST(Guinier, FindsTheBFactorOfALine) {
  std::vector<double> amplitude;
  for (int s = 0; s <= 24; ++s) {
    const double k = s / (48 * 1.5);
    amplitude.push_back(7.0 * std::exp(-120.0 * k * k / 4.0));
  }
  const Guinier plot = guinier(amplitude, kSide, kVoxel, 10.0, 4.0);
  ASSERT_TRUE(plot.line);
  EXPECT_NEAR(plot.line->b_factor(), -120.0, 1e-9);
  EXPECT_NEAR(plot.line->intercept, std::log(7.0), 1e-9);
  EXPECT_NEAR(plot.line->correlation, -1.0, 1e-9);
  // Shells 8 (9 Å; 7 is 10.3 Å) to 18 (4 Å).
  EXPECT_EQ(plot.shells, 11);
  EXPECT_FALSE(guinier(amplitude, kSide, kVoxel, 4.2, 4.0).line);
}

TEST(Sharpening, TakesTheBlurAway) {
  const auto out = sharpened(blurred_noise(100.0), kSide, kVoxel, {});
  ASSERT_TRUE(out) << out.error().message();
  // Amplitudes of noise scatter: 1 % of a shell's mean at 10 Å.
  EXPECT_NEAR(out->b_factor, -100.0, 4.0);
  EXPECT_DOUBLE_EQ(out->low_pass, 3.0);
  const auto amplitude = radial_amplitude(*MapSpectrum::of(out->map, kSide));
  const auto white = radial_amplitude(*MapSpectrum::of(test::noise_map(kSide, 3), kSide));
  for (std::size_t s = 1; s < 23; ++s) EXPECT_NEAR(amplitude[s] / white[s], 1.0, 0.1) << s;
}

TEST(Sharpening, WithATypedBFactorMultipliesAmplitudes) {
  const auto map = blurred_noise(0.0);
  const auto out = sharpened(map, kSide, kVoxel, {.b_factor = -80.0, .low_pass = 6.0});
  ASSERT_TRUE(out);
  const auto before = radial_amplitude(*MapSpectrum::of(map, kSide));
  const auto after = radial_amplitude(*MapSpectrum::of(out->map, kSide));
  // Shells reach half a shell to both sides of k.
  for (std::size_t s = 0; s < 11; ++s) {
    const double k = static_cast<double>(s) / (48 * 1.5);
    EXPECT_NEAR(after[s] / before[s] / std::exp(80.0 * k * k / 4.0), 1.0, 0.02) << s;
  }
  // 6 Å is shell 12; one further nothing is left.
  for (std::size_t s = 14; s < 25; ++s) EXPECT_LT(after[s], 1e-4 * before[s]) << s;
}

TEST(Sharpening, WeighsByTheCorrelationOfTheHalves) {
  EXPECT_DOUBLE_EQ(fsc_weight(1.0), 1.0);
  EXPECT_DOUBLE_EQ(fsc_weight(0.5), std::sqrt(1.0 / 1.5));
  EXPECT_DOUBLE_EQ(fsc_weight(-0.1), 0.0);
  SharpenSettings settings{.b_factor = 0.0};
  settings.fsc.assign(25, 0.6);
  for (std::size_t s = 15; s < 25; ++s) settings.fsc[s] = 0.0;
  const auto map = blurred_noise(0.0);
  const auto out = sharpened(map, kSide, kVoxel, settings);
  ASSERT_TRUE(out);
  EXPECT_NEAR(out->low_pass, *crossing(settings.fsc, 0.143, kSide, kVoxel), 1e-12);
  const auto before = radial_amplitude(*MapSpectrum::of(map, kSide));
  const auto after = radial_amplitude(*MapSpectrum::of(out->map, kSide));
  for (std::size_t s = 1; s < 13; ++s) {
    EXPECT_NEAR(after[s] / before[s], std::sqrt(1.2 / 1.6), 1e-3) << s;
  }
  settings.fsc.pop_back();
  EXPECT_FALSE(sharpened(map, kSide, kVoxel, settings));
}

TEST(Sharpening, SaysWhatItCannotDo) {
  const auto map = blurred_noise(0.0);
  const auto few = sharpened(map, kSide, kVoxel, {.low_pass = 9.5});
  ASSERT_FALSE(few);
  EXPECT_NE(few.error().message().find("type a B-factor"), std::string::npos);
  EXPECT_FALSE(sharpened(map, kSide, kVoxel, {.b_factor = 0.0, .low_pass = 2.0}));
}

TEST(MapFilters, LowPassKeepsWhatIsCoarse) {
  const auto map = blurred_noise(0.0);
  const auto out = low_passed(map, kSide, 6.0);
  ASSERT_TRUE(out);
  const auto before = radial_amplitude(*MapSpectrum::of(map, kSide));
  const auto after = radial_amplitude(*MapSpectrum::of(*out, kSide));
  EXPECT_NEAR(after[6] / before[6], 1.0, 1e-4);
  EXPECT_NEAR(after[8] / before[8], 0.5, 0.03);
  EXPECT_LT(after[10], 1e-4 * before[10]);
}

TEST(MapFilters, FlippingMovesAnAtomToTheOtherSide) {
  for (const std::int64_t n : {20, 21}) {
    const std::vector<Atom> atom{{{2, -3, 4}, 1.0, 1.0}};
    const std::vector<Atom> other{{{2, -3, -4}, 1.0, 1.0}};
    const auto flipped = flipped_hand(phantom_map(atom, n), n * n);
    const auto expected = phantom_map(other, n);
    for (std::size_t i = 0; i < flipped.size(); ++i) ASSERT_NEAR(flipped[i], expected[i], 1e-6);
    EXPECT_EQ(flipped_hand(flipped, n * n), phantom_map(atom, n));
  }
}

}  // namespace
}  // namespace aprscope
