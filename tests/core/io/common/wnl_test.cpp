// Decoding of the lossy intensities: against the encoder's formula, evaluated here.
#include "core/io/common/wnl.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace aprscope::test {
namespace {

// The coding of the reference library: f = 2(√(max(I − bg, 0)/2 + 1.6²) − 1.6)/q, rounded, with
// the sign in the lowest bit.
std::uint16_t encode(double intensity, double q, double background) {
  const double root = std::sqrt(std::max(intensity - background, 0.0) / 2.0 + 1.6 * 1.6);
  const long v = std::lround(2.0 * (root - 1.6) / q);
  return static_cast<std::uint16_t>(v >= 0 ? 2 * v : 2 * -v - 1);
}

class WnlQuantization : public testing::TestWithParam<float> {};

TEST_P(WnlQuantization, EveryIntensityComesBackWithinHalfAStep) {
  const float q = GetParam();
  const WnlParameters parameters{q, 100.0F};
  for (int intensity = 0; intensity <= 65535; ++intensity) {
    const int back = wnl_decode(encode(intensity, q, 100.0), parameters);
    if (intensity <= 100) {
      ASSERT_EQ(back, 100);
      continue;
    }
    // I = (D²/4 − e²)·2 + bg, so half a step of D is worth I' = D·q/2 plus the curvature q²/8.
    const double d = 2.0 * std::sqrt((intensity - 100.0) / 2.0 + 1.6 * 1.6);
    ASSERT_NEAR(back, intensity, d * q / 2 + q * q / 8 + 0.5) << "intensity " << intensity;
  }
}

INSTANTIATE_TEST_SUITE_P(Steps, WnlQuantization, testing::Values(0.5F, 1.0F, 2.0F));

TEST(Wnl, KnownValues) {
  const WnlParameters parameters{1.0F, 100.0F};
  EXPECT_EQ(wnl_decode(0, parameters), 100);   // D = 3.2
  EXPECT_EQ(wnl_decode(1, parameters), 100);   // v = −1: below the background
  EXPECT_EQ(wnl_decode(2, parameters), 104);   // v = 1: (4.2² / 4 − 2.56)·2 + 100 = 103.7
  EXPECT_EQ(wnl_decode(20, parameters), 182);  // v = 10: (13.2² / 4 − 2.56)·2 + 100 = 182.0
  EXPECT_EQ(wnl_decode(65535, parameters), 100);
  EXPECT_EQ(wnl_decode(65534, parameters), 65535);  // too bright for 16 bits
}

TEST(Wnl, FieldsAreDecodedValueByValue) {
  std::vector<std::uint16_t> values(2500000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint16_t>(i * 37);
  const auto stored = values;
  const WnlParameters parameters{0.7F, 12.5F};
  ASSERT_TRUE(wnl_decode(std::span(values), parameters).ok());
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(values[i], wnl_decode(stored[i], parameters));
  }
}

TEST(Wnl, ImpossibleParametersAreErrors) {
  std::vector<std::uint16_t> values(3);
  for (const float q : {0.0F, -1.0F, std::nanf(""), INFINITY}) {
    EXPECT_FALSE(wnl_decode(std::span(values), {q, 0.0F}).ok());
  }
  EXPECT_FALSE(wnl_decode(std::span(values), {1.0F, std::nanf("")}).ok());
}

TEST(Wnl, Cancelled) {
  std::stop_source stop;
  stop.request_stop();
  std::vector<std::uint16_t> values(3);
  const Status status = wnl_decode(std::span(values), {}, JobContext(stop.get_token()));
  ASSERT_FALSE(status.ok());
  EXPECT_TRUE(status.error().cancelled());
}

}  // namespace
}  // namespace aprscope::test
