// Photons that are held out of an image: what is held and what is left are the image, both know
// nothing of each other; and when iterates that are judged by them end.
#include "core/deconvolution/iterate/held_out.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "core/image/scenes.hpp"

namespace aprscope {
namespace {

constexpr float kOffset = 100.0F;
constexpr double kGain = 2.5;

// Poisson of mean `photons`, as a camera with offset and gain sees it.
std::vector<float> camera_image(double photons, std::int64_t count) {
  Pixels<float> image({1, 1, count}, 1.0F);
  add_poisson_noise(image, photons, 3);
  for (float& v : image.values) {
    v = kOffset + static_cast<float>(std::round(v * photons) * kGain);
  }
  return image.values;
}

HoldOutOptions options(std::uint64_t seed = 1) { return {kGain, 0.1, seed}; }

TEST(HoldOut, BothPartsTogetherAreTheImage) {
  const auto image = camera_image(30.0, 20'000);
  const auto thinned = hold_out(image, kOffset, {}, options());
  ASSERT_TRUE(thinned.ok());
  double photons = 0.0;
  double held = 0.0;
  for (std::size_t i = 0; i < image.size(); ++i) {
    const double light = image[i] - kOffset;
    EXPECT_NEAR(0.9 * thinned->kept[i] + 0.1 * thinned->held_out[i], light, 1e-3);
    // Whole photons.
    const double taken = 0.1 * thinned->held_out[i] / kGain;
    EXPECT_NEAR(taken, std::round(taken), 1e-4);
    EXPECT_GE(taken, -1e-6);
    photons += light / kGain;
    held += taken;
  }
  EXPECT_NEAR(thinned->photons, photons, 1.0);
  EXPECT_NEAR(thinned->photons_held_out, held, 1.0);
  EXPECT_NEAR(held, 0.1 * photons, 6.0 * std::sqrt(0.09 * photons));
}

TEST(HoldOut, PartsOfPoissonDataAreIndependent) {
  const auto image = camera_image(40.0, 200'000);
  const auto thinned = hold_out(image, kOffset, {}, options());
  ASSERT_TRUE(thinned.ok());
  const auto n = static_cast<double>(image.size());
  double a = 0.0, b = 0.0, aa = 0.0, bb = 0.0, ab = 0.0;
  for (std::size_t i = 0; i < image.size(); ++i) {
    const double kept = 0.9 * thinned->kept[i] / kGain;
    const double held = 0.1 * thinned->held_out[i] / kGain;
    a += kept / n;
    b += held / n;
    aa += kept * kept / n;
    bb += held * held / n;
    ab += kept * held / n;
  }
  // Poisson: the variance is the mean.
  EXPECT_NEAR((aa - a * a) / a, 1.0, 0.03);
  EXPECT_NEAR((bb - b * b) / b, 1.0, 0.03);
  const double correlation = (ab - a * b) / std::sqrt((aa - a * a) * (bb - b * b));
  EXPECT_NEAR(correlation, 0.0, 5.0 / std::sqrt(n));
}

TEST(HoldOut, AParticleIsThinnedAsTheSumOfItsPixels) {
  // Halves: 3 photons in each of 64 pixels, and 192 in one.
  std::vector<float> image(40'000, kOffset + static_cast<float>(3.0 * kGain));
  const std::vector<WeightRun> weights{{20'000, 64.0}, {40'000, 1.0}};
  for (std::size_t i = 20'000; i < image.size(); ++i) {
    image[i] = kOffset + static_cast<float>(192.0 * kGain);
  }
  const auto thinned = hold_out(image, kOffset, weights, options());
  ASSERT_TRUE(thinned.ok());
  for (const auto& [begin, pixels] :
       {std::pair{std::size_t{0}, 64.0}, {std::size_t{20'000}, 1.0}}) {
    double mean = 0.0;
    double squares = 0.0;
    for (std::size_t i = begin; i < begin + 20'000; ++i) {
      const double taken = 0.1 * thinned->held_out[i] * pixels / kGain;
      mean += taken / 20'000;
      squares += taken * taken / 20'000;
    }
    EXPECT_NEAR(mean, 19.2, 0.2);
    EXPECT_NEAR(squares - mean * mean, 192 * 0.09, 1.0);
  }
}

TEST(HoldOut, TheDrawDependsOnTheSeedAlone) {
  const auto image = camera_image(10.0, 100'000);
  set_thread_count(1);
  const auto one = hold_out(image, kOffset, {}, options());
  set_thread_count(3);
  const auto three = hold_out(image, kOffset, {}, options());
  const auto other = hold_out(image, kOffset, {}, options(2));
  set_thread_count(0);
  ASSERT_TRUE(one.ok() && three.ok() && other.ok());
  EXPECT_EQ(one->kept, three->kept);
  EXPECT_EQ(one->held_out, three->held_out);
  EXPECT_NE(one->held_out, other->held_out);
}

TEST(HoldOut, DarkPixelsHaveNoPhotons) {
  const std::vector<float> image{kOffset, 0.0F, -50.0F, kOffset + 1.0F};
  const auto thinned = hold_out(image, kOffset, {}, options());
  ASSERT_TRUE(thinned.ok());
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(thinned->kept[i], 0.0F);
    EXPECT_EQ(thinned->held_out[i], 0.0F);
  }
  // Less than half a photon is light all the same.
  EXPECT_EQ(thinned->held_out[3], 0.0F);
  EXPECT_NEAR(thinned->kept[3], 1.0 / 0.9, 1e-6);
}

TEST(HoldOut, CancelIsHeeded) {
  std::stop_source source;
  source.request_stop();
  const auto image = camera_image(10.0, 1000);
  const auto thinned = hold_out(image, kOffset, {}, options(), JobContext(source.get_token()));
  ASSERT_FALSE(thinned.ok());
  EXPECT_TRUE(thinned.error().cancelled());
}

TEST(HeldOutStop, WaitsTenAtLeastAndReturnsTheBest) {
  HeldOutStop early;
  // Best at the estimate that iteration 5 begins with: after four.
  int ended = 0;
  for (int i = 1; ended == 0; ++i) {
    if (early.enough(i, -std::abs(i - 5.0))) ended = i;
  }
  EXPECT_EQ(early.best(), 4);
  EXPECT_EQ(ended, 15);

  HeldOutStop late;
  ended = 0;
  for (int i = 1; ended == 0; ++i) {
    if (late.enough(i, -std::abs(i - 121.0))) ended = i;
  }
  EXPECT_EQ(late.best(), 120);
  EXPECT_EQ(ended, 121 + 40);
}

TEST(HeldOutStop, AShortFallIsNoEnd) {
  HeldOutStop stop;
  for (int i = 1; i <= 200; ++i) {
    const double dip = i % 20 > 12 ? -5.0 : 0.0;
    ASSERT_FALSE(stop.enough(i, i + dip)) << i;
  }
  EXPECT_GE(stop.best(), 190);
}

}  // namespace
}  // namespace aprscope
