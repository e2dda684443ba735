#include "core/image/fft.hpp"

#include <cmath>
#include <complex>
#include <numbers>
#include <random>
#include <stop_token>

#include <gtest/gtest.h>

#include "core/base/aligned_vector.hpp"
#include "core/base/system.hpp"

namespace aprscope {
namespace {

AlignedVector<float> noise(const Fft3& fft, unsigned seed) {
  AlignedVector<float> values(static_cast<std::size_t>(fft.buffer_count()));
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-1.0F, 1.0F);
  for (float& v : values) v = uniform(random);
  return values;
}

// The transform by its definition.
std::complex<double> coefficient(const Fft3& fft, const AlignedVector<float>& a, const Index3& k) {
  const Size3& n = fft.size();
  const auto turn = [](std::int64_t i, std::int64_t f, std::int64_t length) {
    return static_cast<double>(i * f % length) / static_cast<double>(length);
  };
  std::complex<double> sum = 0.0;
  for (std::int64_t z = 0; z < n.z; ++z) {
    for (std::int64_t x = 0; x < n.x; ++x) {
      for (std::int64_t y = 0; y < n.y; ++y) {
        const double angle = turn(z, k.z, n.z) + turn(x, k.x, n.x) + turn(y, k.y, n.y);
        const auto at = static_cast<std::size_t>((z * n.x + x) * fft.row() + y);
        sum += static_cast<double>(a[at]) * std::polar(1.0, -2.0 * std::numbers::pi * angle);
      }
    }
  }
  return sum;
}

TEST(Fft3, AgreesWithTheDefinition) {
  for (const Size3 size : {Size3{6, 5, 7}, Size3{1, 4, 10}, Size3{3, 1, 2}, Size3{1, 1, 1},
                           Size3{2, 18, 40}, Size3{11, 13, 17},
                           // Two steps, along each dimension; rows in halves; none of that.
                           Size3{280, 1, 4}, Size3{1, 256, 2}, Size3{2, 1, 288}, Size3{34, 2, 46},
                           Size3{128, 1, 8}, Size3{2, 3, 256}}) {
    const auto fft = Fft3::create(size).value();
    const auto values = noise(*fft, 3);
    auto spectrum = values;
    ASSERT_TRUE(fft->forward(spectrum).ok());
    for (std::int64_t z = 0; z < size.z; ++z) {
      for (std::int64_t x = 0; x < size.x; ++x) {
        for (std::int64_t y = 0; y <= size.y / 2; ++y) {
          const auto wanted = coefficient(*fft, values, {z, x, y});
          const float* const p =
              &spectrum[static_cast<std::size_t>((z * size.x + x) * fft->row() + 2 * y)];
          EXPECT_NEAR(p[0], wanted.real(), 2e-5 * std::sqrt(size.count()));
          EXPECT_NEAR(p[1], wanted.imag(), 2e-5 * std::sqrt(size.count()));
        }
      }
    }
    ASSERT_TRUE(fft->inverse(spectrum).ok());
    for (std::int64_t row = 0; row < size.z * size.x; ++row) {
      for (std::int64_t y = 0; y < size.y; ++y) {
        const auto at = static_cast<std::size_t>(row * fft->row() + y);
        EXPECT_NEAR(spectrum[at], values[at], 1e-5);
      }
    }
  }
}

TEST(Fft3, FilterIsTransformProductAndTransformBack) {
  const auto fft = Fft3::create({12, 10, 36}).value();
  auto kernel = noise(*fft, 5);
  ASSERT_TRUE(fft->forward(kernel).ok());
  for (const bool conjugate : {false, true}) {
    auto once = noise(*fft, 6);
    auto steps = once;
    ASSERT_TRUE(fft->filter(once, kernel, conjugate).ok());
    ASSERT_TRUE(fft->forward(steps).ok());
    for (std::size_t i = 0; i < steps.size(); i += 2) {
      const std::complex<float> factor(kernel[i], conjugate ? -kernel[i + 1] : kernel[i + 1]);
      const std::complex<float> product = std::complex<float>(steps[i], steps[i + 1]) * factor;
      steps[i] = product.real();
      steps[i + 1] = product.imag();
    }
    ASSERT_TRUE(fft->inverse(steps).ok());
    for (std::int64_t row = 0; row < 120; ++row) {
      for (std::int64_t y = 0; y < 36; ++y) {
        const auto at = static_cast<std::size_t>(row * fft->row() + y);
        EXPECT_NEAR(once[at], steps[at], 1e-4);
      }
    }
  }
}

TEST(Fft3, SameBitsForAnyNumberOfThreads) {
  std::vector<AlignedVector<float>> results;
  for (const int threads : {1, 2, 5}) {
    set_thread_count(threads);
    const auto fft = Fft3::create({20, 18, 30}).value();
    auto values = noise(*fft, 8);
    auto kernel = noise(*fft, 9);
    ASSERT_TRUE(fft->forward(kernel).ok());
    ASSERT_TRUE(fft->filter(values, kernel, true).ok());
    results.push_back(values);
  }
  set_thread_count(0);
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(Fft3, GoodSizesAreProductsOfShortLinesAndHardlyLarger) {
  EXPECT_EQ(Fft3::good_size({1, 1, 1}), (Size3{1, 1, 1}));
  EXPECT_EQ(Fft3::good_size({11, 13, 15}), (Size3{11, 13, 16}));
  EXPECT_EQ(Fft3::good_size({17, 255, 256}), (Size3{18, 256, 256}));
  EXPECT_EQ(Fft3::good_size({268, 262, 268}), (Size3{280, 280, 288}));
  for (std::int64_t n = 1; n < 5000; n = n * 9 / 8 + 1) {
    const Size3 good = Fft3::good_size({n, n, n});
    EXPECT_GE(good.z, n);
    EXPECT_GE(good.y, n);
    EXPECT_LE(good.z, n + n / 4 + 1);
    EXPECT_LE(good.y, n + n / 2 + 2);
    EXPECT_TRUE(n == 1 || good.y % 2 == 0);
  }
}

TEST(Fft3, RefusesWhatItCannotDo) {
  EXPECT_FALSE(Fft3::create({0, 4, 4}).ok());
  EXPECT_FALSE(Fft3::create({4, 4, -1}).ok());
  const auto fft = Fft3::create({4, 4, 4}).value();
  AlignedVector<float> small(10);
  EXPECT_FALSE(fft->forward(small).ok());
  EXPECT_FALSE(fft->inverse(small).ok());
  std::stop_source source;
  source.request_stop();
  auto values = noise(*fft, 1);
  const Status stopped = fft->forward(values, JobContext(source.get_token()));
  EXPECT_TRUE(!stopped.ok() && stopped.error().cancelled());
}

}  // namespace
}  // namespace aprscope
