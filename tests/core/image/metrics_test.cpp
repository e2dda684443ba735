#include "core/image/metrics.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "core/image/random.hpp"

namespace aprscope {
namespace {

Pixels<float> random_image(Size3 size, std::uint64_t seed) {
  Pixels<float> image(size);
  const CounterRandom random(seed, 1);
  for (std::size_t i = 0; i < image.values.size(); ++i) {
    image.values[i] = static_cast<float>(100.0 * random.uniform(i));
  }
  return image;
}

// Wang et al. 2004 by its definition: weighted moments under a Gaussian window at every pixel.
double naive_ssim(const Pixels<float>& a, const Pixels<float>& b, double range) {
  const auto mirror = [](std::int64_t i, std::int64_t n) {
    while (i < 0 || i >= n) i = i < 0 ? -i - 1 : 2 * n - 1 - i;
    return i;
  };
  const auto weight = [](std::int64_t d, std::int64_t n) {
    return n == 1 ? (d == 0 ? 1.0 : 0.0) : std::exp(-0.5 * static_cast<double>(d * d) / 2.25);
  };
  double total = 0.0;
  for (std::int64_t z = 0; z < a.size.z; ++z)
    for (std::int64_t x = 0; x < a.size.x; ++x)
      for (std::int64_t y = 0; y < a.size.y; ++y) {
        double w = 0, ma = 0, mb = 0, aa = 0, bb = 0, ab = 0;
        for (std::int64_t k = -5; k <= 5; ++k)
          for (std::int64_t j = -5; j <= 5; ++j)
            for (std::int64_t i = -5; i <= 5; ++i) {
              const double g = weight(k, a.size.z) * weight(j, a.size.x) * weight(i, a.size.y);
              const auto zz = mirror(z + k, a.size.z);
              const auto xx = mirror(x + j, a.size.x);
              const auto yy = mirror(y + i, a.size.y);
              const double va = a.at(zz, xx, yy);
              const double vb = b.at(zz, xx, yy);
              w += g;
              ma += g * va;
              mb += g * vb;
              aa += g * va * va;
              bb += g * vb * vb;
              ab += g * va * vb;
            }
        ma /= w;
        mb /= w;
        const double c1 = std::pow(0.01 * range, 2);
        const double c2 = std::pow(0.03 * range, 2);
        const double va = aa / w - ma * ma;
        const double vb = bb / w - mb * mb;
        const double cov = ab / w - ma * mb;
        total += (2 * ma * mb + c1) * (2 * cov + c2) / ((ma * ma + mb * mb + c1) * (va + vb + c2));
      }
  return total / static_cast<double>(a.size.count());
}

TEST(Metrics, EqualImagesAreEqual) {
  const auto a = random_image({3, 9, 11}, 1);
  const auto m = compare_images(a, a);
  ASSERT_TRUE(m.ok());
  EXPECT_TRUE(std::isinf(m->psnr));
  EXPECT_NEAR(m->ssim, 1.0, 1e-12);
  EXPECT_EQ(m->nrmse, 0.0);
  EXPECT_EQ(m->max_abs_diff, 0.0);
}

TEST(Metrics, ClosedFormsOfAConstantOffset) {
  Pixels<float> a({1, 10, 10});
  for (std::size_t i = 0; i < 100; ++i) a.values[i] = static_cast<float>(i);
  Pixels<float> b = a;
  for (float& v : b.values) v += 3.0F;
  b.at(0, 4, 7) += 2.0F;
  const auto m = compare_images(a, b);
  ASSERT_TRUE(m.ok());
  const double mse = (99 * 9.0 + 25.0) / 100;
  EXPECT_NEAR(m->psnr, 10 * std::log10(99.0 * 99.0 / mse), 1e-9);
  EXPECT_NEAR(m->nrmse, std::sqrt(mse) / 99.0, 1e-12);
  EXPECT_EQ(m->max_abs_diff, 5.0);
  EXPECT_EQ(m->max_at, (Index3{0, 4, 7}));
}

TEST(Metrics, SsimEqualsItsDefinition) {
  for (const Size3 size :
       {Size3{1, 12, 15}, Size3{7, 6, 9}, Size3{1, 1, 20}, Size3{2, 5, 4}, Size3{14, 3, 5}}) {
    const auto a = random_image(size, 2);
    auto b = random_image(size, 3);
    for (std::size_t i = 0; i < b.values.size(); ++i) {
      b.values[i] = 0.7F * a.values[i] + 0.3F * b.values[i];
    }
    const auto [low, high] = std::minmax_element(a.values.begin(), a.values.end());
    const auto m = compare_images(a, b);
    ASSERT_TRUE(m.ok());
    EXPECT_NEAR(m->ssim, naive_ssim(a, b, static_cast<double>(*high) - *low), 1e-9);
  }
}

TEST(Metrics, StopsWhenAsked) {
  std::stop_source stop;
  // Asked to stop while the planes are being compared.
  const JobContext context(stop.get_token(), [&](double fraction, std::string_view) {
    if (fraction > 0.0) stop.request_stop();
  });
  const auto a = random_image({20, 9, 11}, 1);
  const auto m = compare_images(a, random_image({20, 9, 11}, 2), context);
  ASSERT_FALSE(m.ok());
  EXPECT_TRUE(m.error().cancelled());
}

TEST(Metrics, DifferentSizesAndNaNAreErrors) {
  EXPECT_FALSE(compare_images(random_image({1, 2, 3}, 1), random_image({1, 3, 2}, 1)).ok());
  auto nan = random_image({1, 2, 3}, 1);
  nan.values[2] = std::nanf("");
  EXPECT_FALSE(compare_images(nan, random_image({1, 2, 3}, 1)).ok());
}

}  // namespace
}  // namespace aprscope
