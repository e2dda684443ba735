#include "core/image/line_transforms.hpp"

#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/aligned_vector.hpp"
#include "core/image/random.hpp"

namespace aprscope {
namespace {

// Σ a(i) exp(−2πi k i ÷ n).
std::complex<double> sum(const std::vector<std::complex<double>>& a, std::int64_t k) {
  const auto n = static_cast<std::int64_t>(a.size());
  std::complex<double> total;
  for (std::int64_t i = 0; i < n; ++i) {
    total += a[static_cast<std::size_t>(i)] *
             std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k * i % n) /
                                 static_cast<double>(n));
  }
  return total;
}

TEST(LineTransforms, AgreeWithTheSum) {
  constexpr std::int64_t kWidth = LineTransforms::kWidth;
  for (const std::int64_t n : {2, 24, 45, 128}) {
    const auto lines = LineTransforms::create(n);
    ASSERT_TRUE(lines.ok());
    const CounterRandom random(4, 0);
    AlignedVector<float> a(static_cast<std::size_t>(lines->columns_floats()));
    AlignedVector<float> b(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(random.normal(i));
    std::vector<std::complex<double>> column;
    for (std::int64_t i = 0; i < n; ++i) {
      const auto at = static_cast<std::size_t>(2 * (i * kWidth + 3));
      column.emplace_back(a[at], a[at + 1]);
    }
    const AlignedVector<float> before = a;
    float* out = lines->columns_forward(a.data(), b.data());
    for (std::int64_t k = 0; k < n; ++k) {
      const std::complex<double> found(out[2 * (k * kWidth + 3)], out[2 * (k * kWidth + 3) + 1]);
      EXPECT_LT(std::abs(found - sum(column, k)), 1e-4) << n;
    }
    const float* back = lines->columns_inverse(out, out == a.data() ? b.data() : a.data());
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_NEAR(back[i] / static_cast<float>(n), before[i], 1e-5);
    }

    AlignedVector<float> row(static_cast<std::size_t>(lines->row_floats()));
    AlignedVector<float> scratch(static_cast<std::size_t>(lines->row_scratch()));
    std::vector<std::complex<double>> real;
    for (std::int64_t i = 0; i < n; ++i) {
      row[static_cast<std::size_t>(i)] =
          static_cast<float>(column[static_cast<std::size_t>(i)].real());
      real.emplace_back(row[static_cast<std::size_t>(i)]);
    }
    lines->row_forward(row.data(), scratch.data());
    for (std::int64_t k = 0; k <= n / 2; ++k) {
      const auto at = static_cast<std::size_t>(2 * k);
      EXPECT_LT(std::abs(std::complex<double>(row[at], row[at + 1]) - sum(real, k)), 1e-4) << n;
    }
    lines->row_inverse(row.data(), scratch.data(), 1.0F / static_cast<float>(n));
    for (std::size_t i = 0; i < real.size(); ++i) EXPECT_NEAR(row[i], real[i].real(), 1e-5);
  }
}

TEST(LineTransforms, GoodLengthsAreEvenAndHardlyLonger) {
  for (const std::int64_t n : {1, 47, 128, 126, 840, 1001}) {
    const std::int64_t good = LineTransforms::good_length(n);
    EXPECT_GE(good, n);
    EXPECT_EQ(good % 2, 0);
    EXPECT_LE(good, n + n / 3 + 32);
  }
  EXPECT_FALSE(LineTransforms::create(0).ok());
}

}  // namespace
}  // namespace aprscope
