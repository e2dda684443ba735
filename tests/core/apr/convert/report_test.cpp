#include "core/apr/convert/report.hpp"

#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "core/apr/convert/gradient_scale.hpp"
#include "core/apr/convert/thresholds.hpp"
#include "tests/core/apr/conversion_fixtures.hpp"

namespace aprscope {
namespace {

// 1 × 1 × 8 pixels: one cell of 4 pixels, one of 2, two of 1.
Apr small_apr() {
  auto particles = LinearAccess::create({1, 1, 8}, 3, 1, 3, {0, 2, 6, 7}, {0, 1, 2, 4});
  EXPECT_TRUE(particles);
  auto access = AprAccess::create(std::move(*particles));
  EXPECT_TRUE(access);
  Apr apr;
  apr.access = *access;
  apr.fields.push_back(std::make_shared<const Field>(
      Field{"particles", std::vector<std::uint16_t>{10, 20, 30, 40}}));
  return apr;
}

GradientScale scale_of(std::vector<float> sigma) {
  GradientScale scale;
  scale.image_size = {1, 1, 8};
  scale.scale.size = {1, 1, 4};
  scale.scale.values = std::move(sigma);
  scale.gradient = Pixels<float>({1, 1, 4}, 1.0F);
  scale.intensity = Pixels<float>({1, 1, 4}, 1.0F);
  return scale;
}

Volume line(std::vector<std::uint16_t> values) {
  Pixels<std::uint16_t> pixels;
  pixels.size = {1, 1, 8};
  pixels.values = std::move(values);
  Volume volume;
  volume.pixels = std::move(pixels);
  return volume;
}

TEST(Report, CountsWhatThereIs) {
  const Apr apr = small_apr();
  const AprReport r = report(apr);
  EXPECT_EQ(r.particles, 4U);
  EXPECT_EQ(r.particles_per_level, (std::vector<std::uint64_t>{0, 1, 1, 2}));
  EXPECT_DOUBLE_EQ(r.computational_ratio, 2.0);
  EXPECT_EQ(r.bytes_pixels, 16U);
  EXPECT_EQ(r.bytes_apr, apr.bytes());
  EXPECT_EQ(report(Apr{}).particles, 0U);
}

TEST(RelativeError, IsTheLargestAndWhereItIs) {
  // Differences 0 1 2 3 | 4 0 | 0 8 over σ 1 2 16 4 a pair of pixels.
  const auto image = line({10, 11, 12, 13, 24, 20, 30, 48});
  const auto error =
      relative_error(image, small_apr(), scale_of({1.0F, 1.0F, 16.0F, 4.0F}), 0.0F, 0.0F);
  ASSERT_TRUE(error) << error.error().message();
  EXPECT_DOUBLE_EQ(error->largest, 3.0);
  EXPECT_EQ(error->where, (Index3{0, 0, 3}));
}

TEST(RelativeError, UsesTheThresholdsOfTheConversion) {
  const auto image = line({10, 11, 12, 13, 24, 20, 30, 48});
  Apr apr = small_apr();
  // σ 1 becomes 3, so the last pixel (8 / 4) leads …
  auto error = relative_error(image, apr, scale_of({1.0F, 1.0F, 16.0F, 4.0F}), 3.0F, 0.0F);
  ASSERT_TRUE(error);
  EXPECT_DOUBLE_EQ(error->largest, 2.0);
  EXPECT_EQ(error->where, (Index3{0, 0, 7}));
  // … dark pixels do not count …
  error = relative_error(image, apr, scale_of({1.0F, 1.0F, 16.0F, 4.0F}), 0.0F, 13.0F);
  ASSERT_TRUE(error);
  EXPECT_DOUBLE_EQ(error->largest, 2.0);
  // … and a scale below sigma_th_max is infinite.
  apr.parameters.sigma_th_max = 4.5F;
  error = relative_error(image, apr, scale_of({1.0F, 1.0F, 16.0F, 4.0F}), 10.0F, 0.0F);
  ASSERT_TRUE(error);
  EXPECT_DOUBLE_EQ(error->largest, 0.25);
  EXPECT_EQ(error->where, (Index3{0, 0, 4}));
}

TEST(RelativeError, EdgeCases) {
  const auto same = line({10, 10, 10, 10, 20, 20, 30, 40});
  const auto flat = scale_of({0.0F, 0.0F, 0.0F, 0.0F});
  auto error = relative_error(same, small_apr(), flat, 0.0F, 0.0F);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->largest, 0.0);
  error = relative_error(line({10, 10, 10, 10, 20, 21, 30, 40}), small_apr(), flat, 0.0F, 0.0F);
  ASSERT_TRUE(error);
  EXPECT_TRUE(std::isinf(error->largest));
  EXPECT_EQ(error->where, (Index3{0, 0, 5}));
  EXPECT_TRUE(error->known);
  // An image wholly in the dark: nothing was compared, which is not an error of 0.
  error = relative_error(same, small_apr(), flat, 0.0F, 1000.0F);
  ASSERT_TRUE(error);
  EXPECT_FALSE(error->known);

  EXPECT_FALSE(
      relative_error(test::blobs<float>({1, 2, 4}, 0.0, 1.0), small_apr(), flat, 0.0F, 0.0F));
  EXPECT_FALSE(relative_error(same, Apr{}, flat, 0.0F, 0.0F));
  EXPECT_FALSE(relative_error(same, small_apr(), GradientScale{}, 0.0F, 0.0F));
}

TEST(RelativeError, EqualsTheDefinitionOnAConvertedImage) {
  const Volume image = test::blobs<std::uint16_t>({33, 50, 71}, 100.0, 4000.0);
  ConversionParameters p;
  p.rel_error = 0.02F;
  const auto scale = compute_gradient_scale(image, p);
  const auto apr = convert(image, p);
  ASSERT_TRUE(scale && apr);
  const std::vector<float> values = apr->main_field()->to_float();
  const Size3 size = image.size();
  double largest = 0.0;
  Index3 where{0, 0, 0};
  std::uint64_t pixels = 0;
  std::uint64_t within = 0;
  std::uint64_t promised = 0;
  std::uint64_t promised_within = 0;
  for (std::int64_t z = 0; z < size.z; ++z) {
    for (std::int64_t x = 0; x < size.x; ++x) {
      for (std::int64_t y = 0; y < size.y; ++y) {
        const float i = image.value({z, x, y});
        if (!(i > 150.0F)) continue;
        const float found = values[apr->access->find({z, x, y}).index];
        const float sigma =
            std::max(scale->scale.at(z / 2, x / 2, y / 2), apr->parameters.sigma_th);
        const double e = std::abs(static_cast<double>(i) - static_cast<double>(found)) /
                         static_cast<double>(sigma);
        if (e > largest) {
          largest = e;
          where = {z, x, y};
        }
        const bool inside = e <= static_cast<double>(p.rel_error);
        const bool promise = scale->intensity.at(z / 2, x / 2, y / 2) > 150.0F &&
                             scale->gradient.at(z / 2, x / 2, y / 2) > 0.0F &&
                             scale->gradient.at(z / 2, x / 2, y / 2) >= apr->parameters.grad_th;
        ++pixels;
        within += inside ? 1U : 0U;
        promised += promise ? 1U : 0U;
        promised_within += promise && inside ? 1U : 0U;
      }
    }
  }
  ASSERT_GT(promised, 0U);
  ASSERT_LT(promised, pixels);
  ASSERT_LT(within, pixels);
  for (const int n : {1, 2, 7}) {
    const test::Threads threads(n);
    const auto error = relative_error(image, *apr, *scale, apr->parameters.sigma_th, 150.0F);
    ASSERT_TRUE(error);
    EXPECT_DOUBLE_EQ(error->largest, largest);
    EXPECT_EQ(error->where, where);
    EXPECT_EQ(error->pixels, pixels);
    EXPECT_EQ(error->within, within);
    EXPECT_EQ(error->promised, promised);
    EXPECT_EQ(error->promised_within, promised_within);
  }
  test::Progress progress;
  progress.stop();
  const auto stopped = relative_error(image, *apr, *scale, 0.0F, 0.0F, progress.context());
  ASSERT_FALSE(stopped);
  EXPECT_TRUE(stopped.error().cancelled());
}

// Up to it the thresholds decide alone: the same particles, also with none of an error left; above
// it, fewer voxels ask for the finest level.
TEST(IdleRelativeError, IsTheLargestThatChangesNothing) {
  for (const double background : {0.0, 100.0}) {
    const Volume image = test::blobs<std::uint16_t>({40, 50, 60}, background, 4000.0);
    ConversionParameters p;
    const auto scale = compute_gradient_scale(image, p);
    ASSERT_TRUE(scale);
    ConversionParameters used;
    ASSERT_TRUE(build_access(*scale, p, {}, &used));
    used.auto_thresholds = false;
    const double idle = idle_relative_error(*scale, used);
    ASSERT_GT(idle, 0.0);
    ASSERT_LT(idle, 10.0);
    const auto particles = [&](double e) {
      used.rel_error = static_cast<float>(e);
      const auto access = build_access(*scale, used);
      return access ? (*access)->count() : 0;
    };
    EXPECT_EQ(particles(idle * 0.999), particles(idle * 1e-3));
    EXPECT_LT(particles(idle * 4.0), particles(idle * 0.999));
  }
}

TEST(IdleRelativeError, IsInfiniteWhereNothingIsPromised) {
  const Volume image = test::blobs<std::uint16_t>({20, 20, 20}, 100.0, 4000.0);
  ConversionParameters p;
  p.auto_thresholds = false;
  p.grad_th = 1e9F;
  const auto scale = compute_gradient_scale(image, p);
  ASSERT_TRUE(scale);
  EXPECT_TRUE(std::isinf(idle_relative_error(*scale, p)));
}

}  // namespace
}  // namespace aprscope
