#include "core/apr/raycast/surface_paint.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <stop_token>
#include <utility>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

// 1 in a ball in the middle, 0 elsewhere.
Volume ball(const Size3& size, double radius, const VoxelSize& voxel) {
  Pixels<float> pixels(size);
  for (std::int64_t z = 0; z < size.z; ++z) {
    for (std::int64_t x = 0; x < size.x; ++x) {
      for (std::int64_t y = 0; y < size.y; ++y) {
        const double dz = (static_cast<double>(z) + 0.5 - 0.5 * static_cast<double>(size.z));
        const double dx = (static_cast<double>(x) + 0.5 - 0.5 * static_cast<double>(size.x));
        const double dy = (static_cast<double>(y) + 0.5 - 0.5 * static_cast<double>(size.y));
        const double r = std::hypot(dz * voxel.z, dx * voxel.x, dy * voxel.y);
        pixels.at(z, x, y) = r <= radius ? 1.0F : 0.0F;
      }
    }
  }
  Volume volume;
  volume.pixels = std::move(pixels);
  volume.voxel = voxel;
  return volume;
}

// Values that are the places of their pixels in memory.
Volume places(const Size3& size) {
  Pixels<float> pixels(size);
  for (std::size_t i = 0; i < pixels.values.size(); ++i) pixels.values[i] = static_cast<float>(i);
  Volume volume;
  volume.pixels = std::move(pixels);
  return volume;
}

TEST(SurfacePaint, IsTheValueOfThePixelThatARayMeets) {
  const Size3 size{21, 33, 41};
  const VoxelSize voxel{2.0, 1.0, 0.7, "Å"};
  const auto shape = std::make_shared<const Volume>(ball(size, 12.0, voxel));
  const auto caster = MipRaycaster::build(shape);
  ASSERT_TRUE(caster.ok());
  const Volume values = places(size);
  for (const bool perspective : {false, true}) {
    for (const auto& [azimuth, elevation] : {std::pair(0.0, 0.0), {35.0, 20.0}, {-120.0, 65.0}}) {
      RayCamera camera = orbit_camera(size, voxel, azimuth, elevation, 1.0371);
      camera.perspective = perspective;
      const auto hits = (*caster)->first(camera, 121, 91, 31, 0.5F);
      ASSERT_TRUE(hits.ok());
      const auto paint = surface_paint(hits->image, camera, voxel, values);
      ASSERT_TRUE(paint.ok());
      ASSERT_EQ(paint->values.size(), hits->pixels.size());
      EXPECT_EQ(paint->width, 121);
      EXPECT_EQ(paint->height, 91);
      int met = 0;
      int beside = 0;
      for (std::size_t i = 0; i < hits->pixels.size(); ++i) {
        if (hits->pixels[i] < 0) {
          EXPECT_TRUE(std::isnan(paint->values[i]));
          continue;
        }
        ++met;
        beside += paint->values[i] == static_cast<float>(hits->pixels[i]) ? 0 : 1;
      }
      EXPECT_GT(met, 500);
      // Some cross no more than a corner of the pixel.
      EXPECT_LT(beside, met / 20) << azimuth << ", " << elevation;
    }
  }
}

// What lies along x as far as the value says, within about a pixel.
TEST(SurfacePaint, FollowsAFunctionOfThePlace) {
  const Size3 size{32, 32, 32};
  const auto shape = std::make_shared<const Volume>(ball(size, 12.0, {}));
  const auto caster = MipRaycaster::build(shape);
  ASSERT_TRUE(caster.ok());
  Pixels<float> ramp(size);
  for (std::size_t i = 0; i < ramp.values.size(); ++i) {
    ramp.values[i] = static_cast<float>(i / 32 % 32);  // x
  }
  Volume values;
  values.pixels = std::move(ramp);
  // Of another voxel size, which does not count.
  values.voxel = {5.0, 5.0, 5.0, "px"};
  // Along z: x is down.
  const RayCamera camera = orbit_camera(size, {}, 0.0, 0.0, 1.0);
  constexpr int kSide = 64;
  const auto depths = (*caster)->surface(camera, kSide, kSide, 31, 0.5F);
  ASSERT_TRUE(depths.ok());
  const auto paint = surface_paint(*depths, camera, {}, values);
  ASSERT_TRUE(paint.ok());
  int met = 0;
  for (int row = 0; row < kSide; ++row) {
    // Rows of an orthographic picture lie at even distances.
    const double x = 16.0 + (row + 0.5 - 0.5 * kSide) * camera.height_world / kSide;
    for (int col = 0; col < kSide; ++col) {
      const float value = paint->values[static_cast<std::size_t>(row * kSide + col)];
      if (std::isnan(value)) continue;
      ++met;
      EXPECT_NEAR(static_cast<double>(value), std::floor(x), 1.0);
    }
  }
  EXPECT_GT(met, 100);
}

TEST(SurfacePaint, IsNothingWhereNoValueIs) {
  const Size3 size{4, 4, 4};
  RayCamera camera;
  camera.eye = {2.0, 2.0, -10.0};
  camera.height_world = 4.0;
  RayImage depths;
  depths.width = 2;
  depths.height = 1;
  depths.values = {10.0F, kNaN};
  Volume values;
  values.pixels = Pixels<float>(size, 7.0F);
  auto paint = surface_paint(depths, camera, {}, values);
  ASSERT_TRUE(paint.ok());
  EXPECT_EQ(paint->values[0], 7.0F);
  EXPECT_TRUE(std::isnan(paint->values[1]));
  for (const float bad : {kNaN, std::numeric_limits<float>::infinity()}) {
    values.pixels = Pixels<float>(size, bad);
    paint = surface_paint(depths, camera, {}, values);
    ASSERT_TRUE(paint.ok());
    EXPECT_TRUE(std::isnan(paint->values[0]));
  }
  // Other samples, and a depth that ends beyond the volume.
  values.pixels = Pixels<std::uint8_t>(size, std::uint8_t{3});
  depths.values = {14.0F, kNaN};
  paint = surface_paint(depths, camera, {}, values);
  ASSERT_TRUE(paint.ok());
  EXPECT_EQ(paint->values[0], 3.0F);
}

TEST(SurfacePaint, CanBeStopped) {
  RayImage depths;
  depths.width = 1;
  depths.height = 1;
  depths.values = {1.0F};
  std::stop_source stop;
  stop.request_stop();
  const auto paint =
      surface_paint(depths, RayCamera{}, {}, places({2, 2, 2}), JobContext(stop.get_token()));
  ASSERT_FALSE(paint.ok());
  EXPECT_TRUE(paint.error().cancelled());
}

}  // namespace
}  // namespace aprscope
