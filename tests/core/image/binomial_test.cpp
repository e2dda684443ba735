// binomial(): how often each number comes, against the closed form.
#include "core/image/binomial.hpp"

#include <cmath>
#include <map>

#include <gtest/gtest.h>

namespace aprscope::test {
namespace {

double probability(std::int64_t n, double p, std::int64_t k) {
  const auto trials = static_cast<double>(n);
  const auto hits = static_cast<double>(k);
  return std::exp(std::lgamma(trials + 1) - std::lgamma(hits + 1) - std::lgamma(trials - hits + 1) +
                  hits * std::log(p) + (trials - hits) * std::log1p(-p));
}

TEST(Binomial, ComesAsOftenAsTheClosedFormSays) {
  constexpr int kDraws = 400'000;
  for (const auto& [n, p] : {std::pair<std::int64_t, double>{1, 0.1},
                             {7, 0.1},
                             {40, 0.25},
                             {99, 0.1},
                             {101, 0.1},
                             {400, 0.1},
                             {60, 0.5},
                             {3000, 0.02}}) {
    std::map<std::int64_t, int> counts;
    for (int i = 0; i < kDraws; ++i) {
      const std::int64_t k = binomial(n, p, {11, static_cast<std::uint64_t>(i)});
      ASSERT_GE(k, 0);
      ASSERT_LE(k, n);
      ++counts[k];
    }
    // χ² over the numbers that are expected at least 20 times.
    double chi = 0.0;
    int terms = 0;
    for (std::int64_t k = 0; k <= n; ++k) {
      const double expected = kDraws * probability(n, p, k);
      if (expected < 20.0) continue;
      const double off = counts[k] - expected;
      chi += off * off / expected;
      ++terms;
    }
    // Six standard deviations of χ² above its mean.
    EXPECT_LT(chi, terms + 6.0 * std::sqrt(2.0 * terms) + 6.0) << n << " trials of " << p;
  }
}

TEST(Binomial, LargeNumbersHaveTheirMeanAndVariance) {
  for (const std::int64_t n : {std::int64_t{100'000}, std::int64_t{1} << 40}) {
    constexpr int kDraws = 50'000;
    constexpr double kChance = 0.1;
    const double mean = static_cast<double>(n) * kChance;
    const double variance = mean * (1.0 - kChance);
    double sum = 0.0;
    double squares = 0.0;
    for (int i = 0; i < kDraws; ++i) {
      const CounterRandom random(5, static_cast<std::uint64_t>(i));
      const double z =
          (static_cast<double>(binomial(n, kChance, random)) - mean) / std::sqrt(variance);
      sum += z;
      squares += z * z;
    }
    EXPECT_NEAR(sum / kDraws, 0.0, 5.0 / std::sqrt(kDraws));
    EXPECT_NEAR(squares / kDraws, 1.0, 5.0 * std::sqrt(2.0 / kDraws));
  }
}

TEST(Binomial, NothingComesOfNothing) {
  const CounterRandom random(1, 1);
  EXPECT_EQ(binomial(0, 0.5, random), 0);
  EXPECT_EQ(binomial(-3, 0.5, random), 0);
}

}  // namespace
}  // namespace aprscope::test
