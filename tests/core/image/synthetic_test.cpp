#include "core/image/synthetic.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "core/base/system.hpp"

namespace aprscope {
namespace {

const std::vector<std::uint16_t>& values(const Volume& v) {
  return std::get<Pixels<std::uint16_t>>(v.pixels).values;
}

TEST(Synthetic, EveryKindHasSizeAndBackground) {
  for (const auto& kind : synthetic_kinds()) {
    SyntheticOptions options;
    options.size = {12, 48, 40};
    const auto volume = make_synthetic(kind, options);
    ASSERT_TRUE(volume.ok()) << kind;
    EXPECT_EQ(volume->size(), options.size);
    auto sorted = values(*volume);
    std::sort(sorted.begin(), sorted.end());
    EXPECT_NEAR(sorted[sorted.size() / 10], 95.0, 15.0) << kind;
    if (kind != "noise") {
      EXPECT_GT(sorted.back(), 400) << kind;
    }
  }
}

TEST(Synthetic, NoiseHasTheStatisticsAskedFor) {
  SyntheticOptions options;
  options.size = {16, 64, 64};
  options.background = 200.0;
  options.noise = 12.0;
  const auto volume = make_synthetic("noise", options);
  ASSERT_TRUE(volume.ok());
  const auto& v = values(*volume);
  const double n = static_cast<double>(v.size());
  const double mean = std::accumulate(v.begin(), v.end(), 0.0) / n;
  double variance = 0.0;
  for (const auto p : v) variance += (p - mean) * (p - mean) / n;
  EXPECT_NEAR(mean, 200.0, 5 * 12.0 / std::sqrt(n));
  // 1/12: rounding to whole counts.
  EXPECT_NEAR(variance, 144.0 + 1.0 / 12.0, 5 * 144.0 * std::sqrt(2.0 / n));
}

TEST(Synthetic, SameSeedSameBytesForAnyNumberOfThreads) {
  SyntheticOptions options;
  options.size = {8, 64, 64};
  set_thread_count(1);
  const auto one = make_synthetic("cells", options);
  set_thread_count(7);
  const auto seven = make_synthetic("cells", options);
  set_thread_count(0);
  ASSERT_TRUE(one.ok() && seven.ok());
  EXPECT_EQ(values(*one), values(*seven));
  options.seed = 2;
  EXPECT_NE(values(*make_synthetic("cells", options)), values(*one));
}

TEST(Synthetic, LinesAndPlanesAreLegal) {
  for (const auto& kind : synthetic_kinds()) {
    SyntheticOptions options;
    options.size = {1, 1, 100};
    EXPECT_TRUE(make_synthetic(kind, options).ok()) << kind;
    options.size = {1, 50, 40};
    EXPECT_TRUE(make_synthetic(kind, options).ok()) << kind;
  }
}

TEST(Synthetic, BadOptionsAreErrors) {
  EXPECT_FALSE(make_synthetic("cats", {}).ok());
  SyntheticOptions options;
  options.size = {0, 10, 10};
  EXPECT_FALSE(make_synthetic("cells", options).ok());
  options.size = {60000, 60000, 60000};
  const auto huge = make_synthetic("cells", options);
  ASSERT_FALSE(huge.ok());
  EXPECT_NE(huge.error().message().find("memory"), std::string::npos);
}

TEST(DemoImage, HasCellsOnADarkBackground) {
  const Volume demo = demo_image();
  EXPECT_EQ(demo.voxel.unit, "µm");
  auto sorted = values(demo);
  std::sort(sorted.begin(), sorted.end());
  EXPECT_LT(sorted[sorted.size() / 2], 140);
  EXPECT_GT(sorted[sorted.size() * 99 / 100], 400);
}

TEST(Synthetic, StopsWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  for (const std::string& kind : synthetic_kinds()) {
    const auto volume = make_synthetic(kind, {}, JobContext(stop.get_token()));
    ASSERT_FALSE(volume.ok()) << kind;
    EXPECT_TRUE(volume.error().cancelled());
  }
}

}  // namespace
}  // namespace aprscope
