#include "core/image/binomial.hpp"

#include <array>
#include <cmath>

namespace aprscope {
namespace {

constexpr double kFew = 10.0;

// Successes are counted one by one, from none on: as many steps as there are successes.
std::int64_t by_inversion(std::int64_t trials, double p, const CounterRandom& random) {
  const double odds = p / (1.0 - p);
  const auto n = static_cast<double>(trials);
  const double none = std::exp(n * std::log1p(-p));
  for (std::uint64_t draw = 0;; ++draw) {
    double u = random.uniform(draw);
    double chance = none;
    for (std::int64_t k = 0; k <= trials; ++k) {
      if (u < chance) return k;
      u -= chance;
      chance *= (n - static_cast<double>(k)) / static_cast<double>(k + 1) * odds;
      // Rounding leaves a rest of probability beyond all counts: draw again if it is hit.
      if (chance < 1e-18 && k > trials * p) break;
    }
  }
}

// ln k! − Stirling's formula for it.
double stirling_rest(double k) {
  static constexpr std::array<double, 10> kRest = {
      0.08106146679532726,  0.04134069595540929, 0.02767792568499834, 0.02079067210376509,
      0.01664469118982119,  0.01387612882307075, 0.01189670994589177, 0.01041126526197209,
      0.009255462182712733, 0.008330563433362871};
  if (k < 10.0) return kRest[static_cast<std::size_t>(k)];
  const double x = 1.0 / ((k + 1.0) * (k + 1.0));
  return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 * x) * x) / (k + 1.0);
}

std::int64_t by_rejection(std::int64_t trials, double p, const CounterRandom& random) {
  const auto n = static_cast<double>(trials);
  const double deviation = std::sqrt(n * p * (1.0 - p));
  const double b = 1.15 + 2.53 * deviation;
  const double a = -0.0873 + 0.0248 * b + 0.01 * p;
  const double c = n * p + 0.5;
  const double odds = p / (1.0 - p);
  const double alpha = (2.83 + 5.1 / b) * deviation;
  const double mode = std::floor((n + 1.0) * p);
  for (std::uint64_t draw = 0;; draw += 2) {
    const double u = random.uniform(draw) - 0.5;
    double v = random.uniform(draw + 1);
    const double us = 0.5 - std::abs(u);
    const double k = std::floor((2.0 * a / us + b) * u + c);
    if (!(k >= 0.0 && k <= n)) continue;
    if (us >= 0.07 && v <= 0.92 - 4.2 / b) return static_cast<std::int64_t>(k);
    v = std::log(v * alpha / (a / (us * us) + b));
    const double limit = (mode + 0.5) * std::log((mode + 1.0) / (odds * (n - mode + 1.0))) +
                         (n + 1.0) * std::log((n - mode + 1.0) / (n - k + 1.0)) +
                         (k + 0.5) * std::log(odds * (n - k + 1.0) / (k + 1.0)) +
                         stirling_rest(mode) + stirling_rest(n - mode) - stirling_rest(k) -
                         stirling_rest(n - k);
    if (v <= limit) return static_cast<std::int64_t>(k);
  }
}

}  // namespace

std::int64_t binomial(std::int64_t trials, double p, const CounterRandom& random) {
  if (trials <= 0) return 0;
  return static_cast<double>(trials) * p < kFew ? by_inversion(trials, p, random)
                                                : by_rejection(trials, p, random);
}

}  // namespace aprscope
