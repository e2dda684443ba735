#include "core/image/scenes.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "core/base/system.hpp"

namespace aprscope {
namespace {

double mean(const Pixels<float>& image) {
  double sum = 0.0;
  for (const float v : image.values) sum += v;
  return sum / static_cast<double>(image.values.size());
}

double variance(const Pixels<float>& image) {
  const double m = mean(image);
  double sum = 0.0;
  for (const float v : image.values) sum += (v - m) * (v - m);
  return sum / static_cast<double>(image.values.size());
}

TEST(Scenes, CylindersAreHollow) {
  CylinderScene scene;
  scene.size = {64, 64, 64};
  scene.count = 1;
  scene.radius_min = scene.radius_max = 10.0;
  scene.wall = 3.0;
  scene.half_min = scene.half_max = 0.25;
  scene.background = 0.2F;
  const Pixels<float> image = hollow_cylinders(scene);
  double light = 0.0;
  for (const float v : image.values) {
    EXPECT_GE(v, 0.2F);
    EXPECT_LE(v, 1.2F);
    light += v - 0.2F;
  }
  // π (10² − 7²) · 32 pixels, if it lies inside.
  EXPECT_NEAR(light, 3.14159 * 51.0 * 32.0, 0.03 * 3.14159 * 51.0 * 32.0);
}

TEST(Scenes, ThinnerWallsHoldLessLight) {
  CylinderScene scene;
  scene.size = {64, 64, 64};
  const double thick = mean(hollow_cylinders(scene));
  scene.wall = 1.5;
  EXPECT_LT(mean(hollow_cylinders(scene)), 0.6 * thick);
}

TEST(Scenes, MicrotubulesCrossTheField) {
  MicrotubuleScene scene;
  scene.size = {32, 64, 128};
  scene.count = 10;
  const Pixels<float> image = microtubules(scene);
  EXPECT_EQ(*std::max_element(image.values.begin(), image.values.end()), 1.0F);
  EXPECT_EQ(*std::min_element(image.values.begin(), image.values.end()), 0.0F);
  const double share = static_cast<double>(std::count_if(image.values.begin(), image.values.end(),
                                                         [](float v) { return v > 0.2F; })) /
                       static_cast<double>(image.values.size());
  EXPECT_GT(share, 0.003);
  EXPECT_LT(share, 0.1);
}

TEST(Scenes, TheSeedDecidesNotTheThreads) {
  MicrotubuleScene scene;
  scene.size = {16, 32, 64};
  CylinderScene cylinders;
  cylinders.size = {32, 32, 32};
  std::vector<Pixels<float>> images;
  for (const int threads : {1, 2, 3}) {
    set_thread_count(threads);
    images.push_back(microtubules(scene));
    add_poisson_noise(images.back(), 20.0, 4);
    add_gaussian_noise(images.back(), 0.1, 4);
  }
  set_thread_count(0);
  EXPECT_EQ(images[0].values, images[1].values);
  EXPECT_EQ(images[0].values, images[2].values);
  scene.seed = 2;
  EXPECT_NE(microtubules(scene).values, images[0].values);
  const auto first = hollow_cylinders(cylinders);
  EXPECT_EQ(hollow_cylinders(cylinders).values, first.values);
  cylinders.seed = 2;
  EXPECT_NE(hollow_cylinders(cylinders).values, first.values);
}

TEST(Scenes, NoiseHasTheMomentsThatItSays) {
  const Size3 size{16, 64, 64};
  Pixels<float> normal(size, 5.0F);
  add_gaussian_noise(normal, 0.5, 3);
  EXPECT_NEAR(mean(normal), 5.0, 0.01);
  EXPECT_NEAR(variance(normal), 0.25, 0.005);
  // Both ways in which Poisson deviates are made.
  for (const double photons : {0.5, 4.0, 100.0}) {
    Pixels<float> counts(size, 1.0F);
    add_poisson_noise(counts, photons, 3);
    EXPECT_NEAR(mean(counts), 1.0, 0.02 / std::sqrt(std::min(photons, 1.0)));
    EXPECT_NEAR(variance(counts) * photons, 1.0, 0.03);
    EXPECT_GE(*std::min_element(counts.values.begin(), counts.values.end()), 0.0F);
  }
  Pixels<float> dark(size, 0.0F);
  add_poisson_noise(dark, 10.0, 3);
  EXPECT_EQ(*std::max_element(dark.values.begin(), dark.values.end()), 0.0F);
}

}  // namespace
}  // namespace aprscope
