#include "core/apr/convert/gradient_scale.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "core/apr/convert/local_scale.hpp"
#include "tests/core/apr/conversion_fixtures.hpp"
#include "tests/core/apr/naive_conversion.hpp"

namespace aprscope {
namespace {

double largest_difference(const Pixels<float>& a, const test::Grid& b) {
  EXPECT_EQ(a.size, b.size);
  double worst = 0.0;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    worst = std::max(worst, std::abs(static_cast<double>(a.values[i]) - b.values[i]));
  }
  return worst;
}

// All steps by their formulas, against the result for `volume`.
void expect_formulas(const Volume& volume, const ConversionParameters& p, double tolerance) {
  const auto found = compute_gradient_scale(volume, p);
  ASSERT_TRUE(found) << found.error().message();
  const auto c = test::spline_coefficients(test::to_grid(volume), static_cast<double>(p.lambda));
  const auto gradient = test::block_max(test::gradient(
      c, static_cast<double>(p.dz), static_cast<double>(p.dx), static_cast<double>(p.dy)));
  auto intensity = test::block_mean(c);
  if (p.lambda > 0.0F) intensity = test::spline_values_of(intensity);
  EXPECT_LE(largest_difference(found->gradient, gradient), tolerance);
  if (p.lambda > 0.0F && !std::holds_alternative<Pixels<float>>(volume.pixels)) {
    EXPECT_LE(largest_difference(found->intensity, intensity), 0.5 + tolerance);
    for (const float v : found->intensity.values) ASSERT_EQ(v, std::round(v));
  } else {
    EXPECT_LE(largest_difference(found->intensity, intensity), tolerance);
  }

  const ScaleWindows w = scale_windows(intensity.size, p);
  if (!w.any()) return;
  auto scale = test::deviation(intensity, {{{w.window[0].inner, w.window[0].outer},
                                            {w.window[1].inner, w.window[1].outer},
                                            {w.window[2].inner, w.window[2].outer}}});
  for (double& v : scale.values) v *= static_cast<double>(w.factor);
  EXPECT_LE(largest_difference(found->scale, scale), 30.0 * tolerance);
}

TEST(GradientScale, FollowsTheFormulas) {
  for (const Size3& size :
       {Size3{1, 1, 63}, Size3{1, 40, 1}, Size3{33, 1, 1}, Size3{1, 31, 30}, Size3{9, 1, 40},
        Size3{17, 19, 21}, Size3{3, 20, 5}, Size3{2, 18, 33}, Size3{40, 7, 16}}) {
    for (const float lambda : {0.0F, 0.5F, 3.0F}) {
      SCOPED_TRACE(testing::Message()
                   << size.z << 'x' << size.x << 'x' << size.y << " lambda " << lambda);
      ConversionParameters p;
      p.lambda = lambda;
      p.psfz = p.psfx = p.psfy = 2.0F;
      expect_formulas(test::blobs<std::uint16_t>(size, 100.0, 5000.0), p, 0.02);
      expect_formulas(test::blobs<float>(size, 0.0, 10.0), p, 5e-5);
    }
  }
}

TEST(GradientScale, FollowsTheFormulasForUnequalVoxelsAndAllSampleTypes) {
  ConversionParameters p;
  p.dz = 3.0F;
  p.dx = 0.5F;
  p.dy = 0.8F;
  p.psfz = 9.0F;
  p.psfx = 1.1F;
  p.psfy = 1.7F;
  const Size3 size{24, 26, 30};
  expect_formulas(test::blobs<std::uint8_t>(size, 3.0, 255.0), p, 0.003);
  expect_formulas(test::blobs<std::uint16_t>(size, 0.0, 65535.0), p, 0.5);
  expect_formulas(test::blobs<float>(size, -1.0, 1.0), p, 1e-5);
}

TEST(GradientScale, OfARampIsItsSlope) {
  const Size3 size{12, 14, 17};
  Pixels<float> ramp(size);
  for (std::int64_t z = 0; z < size.z; ++z) {
    for (std::int64_t x = 0; x < size.x; ++x) {
      for (std::int64_t y = 0; y < size.y; ++y) {
        ramp.at(z, x, y) = static_cast<float>(6 * z + 2 * x + 3 * y);
      }
    }
  }
  Volume volume;
  volume.pixels = ramp;
  ConversionParameters p;
  p.lambda = 0.0F;
  p.dz = 2.0F;
  const auto found = compute_gradient_scale(volume, p);
  ASSERT_TRUE(found);
  // Every block holds a pixel off the edges, where the differences are whole, except the last in y,
  // which holds one pixel on the edge: half the slope along y.
  for (std::int64_t y = 0; y < 9; ++y) {
    const float gy = y == 8 ? 1.5F : 3.0F;
    EXPECT_FLOAT_EQ(found->gradient.at(2, 3, y), std::sqrt(9.0F + 4.0F + gy * gy));
  }
  EXPECT_FLOAT_EQ(found->intensity.at(1, 1, 1), 6.0F * 2.5F + 2.0F * 2.5F + 3.0F * 2.5F);
}

TEST(GradientScale, ConstantImageHasNone) {
  for (const float lambda : {0.0F, 3.0F, 100.0F}) {
    ConversionParameters p;
    p.lambda = lambda;
    for (const Volume& volume : {test::constant_volume<std::uint16_t>({20, 21, 22}, 65535),
                                 test::constant_volume<std::uint8_t>({1, 30, 31}, 7),
                                 test::constant_volume<float>({1, 1, 100}, -1234.567F)}) {
      const auto found = compute_gradient_scale(volume, p);
      ASSERT_TRUE(found);
      for (std::size_t i = 0; i < found->gradient.values.size(); ++i) {
        ASSERT_EQ(found->gradient.values[i], 0.0F);
        ASSERT_EQ(found->scale.values[i], 0.0F);
        ASSERT_EQ(found->intensity.values[i], volume.value({0, 0, 0}));
      }
    }
  }
}

TEST(GradientScale, RoundingErrorsFarFromAStepAreNoGradient) {
  const Size3 size{20, 24, 256};
  Pixels<float> step(size);
  for (std::size_t i = 0; i < step.values.size(); ++i) {
    step.values[i] = i % 256 < 128 ? 0.0F : 33333.3F;
  }
  Volume volume;
  volume.pixels = step;
  for (const float lambda : {1.0F, 3.0F, 10.0F}) {
    ConversionParameters p;
    p.lambda = lambda;
    const auto found = compute_gradient_scale(volume, p);
    ASSERT_TRUE(found);
    for (std::int64_t x = 0; x < 12; ++x) {
      EXPECT_GT(found->gradient.at(4, x, 64), 1000.0F);
      for (std::int64_t y = 110; y < 128; ++y) {
        EXPECT_EQ(found->gradient.at(4, x, y), 0.0F) << "lambda " << lambda;
      }
    }
  }
}

TEST(GradientScale, BlurIntoAnEmptyBackgroundIsNoSignal) {
  Volume volume = test::constant_volume<std::uint8_t>({20, 30, 40}, 0);
  auto& pixels = std::get<Pixels<std::uint8_t>>(volume.pixels);
  for (std::int64_t z = 8; z < 12; ++z) pixels.at(z, 15, 20) = 200;
  ConversionParameters p;
  p.intensity_th = 0.0F;
  const auto found = compute_gradient_scale(volume, p);
  ASSERT_TRUE(found);
  EXPECT_GT(found->intensity.at(5, 7, 10), 1.0F);
  EXPECT_EQ(found->intensity.at(1, 1, 1), 0.0F);
  std::size_t signal = 0;
  for (const float v : found->intensity.values) signal += v > p.intensity_th ? 1 : 0;
  EXPECT_LT(signal, found->intensity.values.size() / 20);
}

TEST(GradientScale, ConstantScaleIsMeanLessMinimum) {
  Volume volume = test::blobs<std::uint16_t>({10, 12, 14}, 10.0, 900.0);
  ConversionParameters p;
  p.lambda = 0.0F;
  p.constant_scale = true;
  const auto found = compute_gradient_scale(volume, p);
  ASSERT_TRUE(found);
  const auto half = test::block_mean(test::to_grid(volume));
  double smallest = half.values[0];
  for (const double v : half.values) smallest = std::min(smallest, v);
  for (const float v : found->scale.values) {
    EXPECT_NEAR(static_cast<double>(v), test::mean_of(half.values) - smallest, 0.01);
  }
}

TEST(ScaleWindows, FollowPsfAndVoxelSizeInEachDimension) {
  constexpr int kInner[] = {1, 1, 1, 2, 2, 3};
  constexpr int kOuter[] = {2, 3, 4, 4, 5, 6};
  constexpr float kFactor3[] = {12.8214F, 26.1256F, 40.2795F, 23.3692F, 36.2061F, 27.0385F};
  ConversionParameters p;
  for (int i = 0; i < 6; ++i) {
    p.psfz = p.psfx = p.psfy = static_cast<float>(i + 1);
    const ScaleWindows w = scale_windows({20, 20, 20}, p);
    for (const ScaleWindow& d : w.window) {
      EXPECT_EQ(d.inner, kInner[i]);
      EXPECT_EQ(d.outer, kOuter[i]);
    }
    EXPECT_FLOAT_EQ(w.factor, kFactor3[i]);
  }
  p.psfz = 8.0F;
  p.dz = 4.0F;
  p.psfx = 0.2F;
  p.psfy = 100.0F;
  const ScaleWindows w = scale_windows({20, 20, 20}, p);
  EXPECT_EQ(w.window[0].outer, 3);
  EXPECT_EQ(w.window[1].outer, 2);
  EXPECT_EQ(w.window[2].outer, 6);
  EXPECT_FLOAT_EQ(w.factor, std::cbrt(26.1256F * 12.8214F * 27.0385F));
}

TEST(ScaleWindows, ShortDimensionsTakeNoPart) {
  ConversionParameters p;
  p.psfz = p.psfx = p.psfy = 1.0F;  // class 0: half-widths 1 and 2
  const ScaleWindows w = scale_windows({1, 2, 3}, p);
  EXPECT_FALSE(w.window[0].active());
  EXPECT_FALSE(w.window[1].active());
  EXPECT_TRUE(w.window[2].active());
  EXPECT_FLOAT_EQ(w.factor, 13.9040F);
  EXPECT_FLOAT_EQ(scale_windows({1, 3, 3}, p).factor, 13.2421F);
  EXPECT_FALSE(scale_windows({2, 2, 2}, p).any());
}

TEST(GradientScale, ReportsValuesThatAreNotFinite) {
  Volume volume = test::blobs<float>({6, 7, 8}, 0.0, 1.0);
  auto& pixels = std::get<Pixels<float>>(volume.pixels);
  pixels.at(3, 4, 5) = std::numeric_limits<float>::quiet_NaN();
  pixels.at(5, 6, 7) = std::numeric_limits<float>::infinity();
  volume.name = "stack.tif";
  for (const float lambda : {0.0F, 3.0F}) {
    ConversionParameters p;
    p.lambda = lambda;
    const auto found = compute_gradient_scale(volume, p);
    ASSERT_FALSE(found);
    EXPECT_NE(found.error().message().find("2 values"), std::string::npos);
    EXPECT_NE(found.error().message().find("z 3, x 4, y 5"), std::string::npos);
    EXPECT_NE(found.error().message().find("stack.tif"), std::string::npos);
  }
  pixels.at(0, 0, 0) = std::numeric_limits<float>::quiet_NaN();
  const auto found = compute_gradient_scale(volume, {});
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().message().find("3 values"), std::string::npos);
}

TEST(GradientScale, RefusesParametersOutOfRange) {
  const Volume volume = test::blobs<float>({6, 7, 8}, 0.0, 1.0);
  const auto refused = [&](const char* name, auto change) {
    ConversionParameters p;
    change(p);
    const auto found = compute_gradient_scale(volume, p);
    ASSERT_FALSE(found) << name;
    EXPECT_NE(found.error().message().find(name), std::string::npos) << found.error().message();
  };
  refused("rel_error", [](auto& p) { p.rel_error = 0.0F; });
  refused("lambda", [](auto& p) { p.lambda = -1.0F; });
  refused("psfx", [](auto& p) { p.psfx = -2.0F; });
  refused("dz", [](auto& p) { p.dz = 0.0F; });
  refused("sigma_th", [](auto& p) { p.sigma_th = std::numeric_limits<float>::quiet_NaN(); });
}

TEST(GradientScale, SameBytesForAnyNumberOfThreads) {
  for (const Size3& size : {Size3{40, 61, 67}, Size3{1, 401, 333}, Size3{3, 250, 203}}) {
    const Volume volume = test::blobs<std::uint16_t>(size, 50.0, 4000.0);
    const auto run = [&](int n) {
      const test::Threads threads(n);
      auto found = compute_gradient_scale(volume, {});
      EXPECT_TRUE(found);
      return std::move(*found);
    };
    const GradientScale expected = run(1);
    for (const int n : {2, 7}) {
      const GradientScale found = run(n);
      EXPECT_EQ(found.gradient.values, expected.gradient.values);
      EXPECT_EQ(found.scale.values, expected.scale.values);
      EXPECT_EQ(found.intensity.values, expected.intensity.values);
    }
  }
}

}  // namespace
}  // namespace aprscope
