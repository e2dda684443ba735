#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/deconvolution/iterate/richardson_lucy.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope::test {

/// Iterations with all that their observer sees.
struct ObservedRun {
  Deconvolved result;
  std::vector<RichardsonLucyReport> reports;
  std::vector<std::vector<float>> iterates;
};

/// Light below an image that is not the same everywhere, some of it none.
inline BackgroundLight uneven_light(std::uint64_t count) {
  auto values = random_values(count, 63, 0.0F, 12.0F);
  for (std::size_t i = 0; i < values.size(); i += 5) values[i] = 0.0F;
  BackgroundLight light;
  light.values = std::make_shared<const std::vector<float>>(std::move(values));
  return light;
}

inline const Deconvolved& values_of(const Deconvolved& done) { return done; }
template <class Done>
const Deconvolved& values_of(const Done& done) {
  return done.result;
}

/// `work(hooks)` gives a Result of a Deconvolved, or of something that has one.
template <class Work>
ObservedRun observed_run(const Work& work) {
  ObservedRun run;
  RichardsonLucyHooks hooks;
  hooks.observer = [&](const RichardsonLucyReport& report, std::span<const float> iterate) {
    run.reports.push_back(report);
    run.iterates.emplace_back(iterate.begin(), iterate.end());
  };
  const auto result = work(hooks);
  EXPECT_TRUE(result.ok()) << result.error().message();
  if (result) run.result = values_of(*result);
  return run;
}

/// Every iterate and every report of one follows the other's, values within `tolerance` of
/// themselves plus a hundredth of the largest.
inline void expect_follows(const ObservedRun& got, const ObservedRun& wanted,
                           float tolerance = 1e-4F) {
  ASSERT_EQ(got.reports.size(), wanted.reports.size());
  EXPECT_EQ(got.result.iterations, wanted.result.iterations);
  EXPECT_EQ(got.result.negatives, wanted.result.negatives);
  for (std::size_t i = 0; i < wanted.reports.size(); ++i) {
    SCOPED_TRACE(testing::Message() << "iteration " << i + 1 << ": change " << got.reports[i].change
                                    << " / " << wanted.reports[i].change);
    EXPECT_EQ(got.reports[i].iteration, wanted.reports[i].iteration);
    EXPECT_NEAR(got.reports[i].likelihood, wanted.reports[i].likelihood,
                1e-5 * std::abs(wanted.reports[i].likelihood));
    EXPECT_NEAR(got.reports[i].change, wanted.reports[i].change, 1e-4 * wanted.reports[i].change);
    const std::vector<float>& a = got.iterates[i];
    const std::vector<float>& b = wanted.iterates[i];
    ASSERT_EQ(a.size(), b.size());
    const float largest = *std::max_element(b.begin(), b.end());
    for (std::size_t k = 0; k < b.size(); ++k) {
      ASSERT_NEAR(a[k], b[k], tolerance * (b[k] + 0.01F * largest)) << "value " << k;
    }
  }
  EXPECT_EQ(got.result.values, got.iterates.back());
}

}  // namespace aprscope::test
