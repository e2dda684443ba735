// Surfaces by rays against pixels one by one, and their light against the normal of a ball.
#include <cmath>
#include <limits>
#include <memory>
#include <stop_token>

#include <gtest/gtest.h>

#include "core/apr/raycast/raycast.hpp"
#include "core/apr/raycast/surface_shading.hpp"
#include "tests/core/apr/ray_march.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope {
namespace {

using test::camera_ray;
using test::WorldRay;

constexpr int kFinest = 100;  // finer than any level: no limit

// How far along the view the first pixel of at least `at` is; NaN: the ray meets none.
float first_depth(const Pixels<float>& image, const VoxelSize& voxel, const RayCamera& camera,
                  const WorldRay& ray, float at) {
  for (const test::RayPiece& piece : test::pieces_along(image.size, voxel, ray, camera.only)) {
    if (image.at(piece.pixel.z, piece.pixel.x, piece.pixel.y) < at) continue;
    double depth = 0.0;
    for (std::size_t a = 0; a < 3; ++a) {
      depth += (ray.from[a] + piece.begin * ray.along[a] - camera.eye[a]) * camera.forward[a];
    }
    return static_cast<float>(depth);
  }
  return std::numeric_limits<float>::quiet_NaN();
}

// A ray that grazes an edge may fall on either side of it: of all rays such ones are few.
void expect_surface(const RayImage& got, const Pixels<float>& image, const VoxelSize& voxel,
                    const RayCamera& camera, float at, int least_hits = 20) {
  int different = 0;
  int hits = 0;
  for (int row = 0; row < got.height; ++row) {
    for (int col = 0; col < got.width; ++col) {
      const float found = got.values[static_cast<std::size_t>(row * got.width + col)];
      const float want = first_depth(image, voxel, camera,
                                     camera_ray(camera, got.width, got.height, row, col), at);
      hits += std::isnan(want) ? 0 : 1;
      const bool same = (std::isnan(found) && std::isnan(want)) ||
                        std::abs(found - want) < 1e-4 * std::max(1.0F, std::abs(want));
      different += same ? 0 : 1;
    }
  }
  EXPECT_GT(hits, least_hits);
  EXPECT_LE(different, got.width * got.height / 200);
}

struct Case {
  Size3 size;
  VoxelSize voxel;
  bool balanced;
  double split;
};

class Surface : public testing::TestWithParam<Case> {};

TEST_P(Surface, IsWhereEachRayFirstMeetsAValue) {
  const Case& c = GetParam();
  const auto access = test::random_access({c.size, 7, c.split, c.balanced});
  const auto values = test::random_values(access->count(), 8, -200.0F, 1000.0F);
  const Pixels<float> image = test::naive_reconstruct(*access, values);
  const auto particles = MipRaycaster::build(access, values, c.voxel);
  auto volume = std::make_shared<Volume>();
  volume->pixels = image;
  volume->voxel = c.voxel;
  const auto pixels = MipRaycaster::build(std::shared_ptr<const Volume>(volume));
  ASSERT_TRUE(particles.ok() && pixels.ok());
  const std::pair<double, double> views[] = {{0.0, 0.0},   {30.0, 20.0},   {123.0, -41.0},
                                             {90.0, 0.0},  {-77.7, 63.0},  {251.0, -88.0},
                                             {10.0, 90.0}, {180.0, 35.264}};
  for (const bool perspective : {false, true}) {
    for (const auto& [azimuth, elevation] : views) {
      for (const float at : {200.0F, 850.0F}) {
        SCOPED_TRACE(testing::Message()
                     << azimuth << ", " << elevation << ", " << perspective << ", from " << at);
        RayCamera camera = orbit_camera(c.size, c.voxel, azimuth + 0.3, elevation + 0.2, 1.1);
        camera.perspective = perspective;
        const auto got = (*particles)->surface(camera, 42, 36, kFinest, at);
        ASSERT_TRUE(got.ok());
        ASSERT_NO_FATAL_FAILURE(expect_surface(*got, image, c.voxel, camera, at));
        const auto same = (*pixels)->surface(camera, 42, 36, kFinest, at);
        ASSERT_TRUE(same.ok());
        ASSERT_NO_FATAL_FAILURE(expect_surface(*same, image, c.voxel, camera, at));
        // Of a box: where it is cut, the cut is the surface.
        const Size3& n = c.size;
        camera.only = Region{{n.z / 4, 1, n.y / 5}, {n.z, n.x - 1, n.y / 2 + 3}};
        const auto cut = (*particles)->surface(camera, 42, 36, kFinest, at);
        ASSERT_TRUE(cut.ok());
        ASSERT_NO_FATAL_FAILURE(expect_surface(*cut, image, c.voxel, camera, at, 5));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Surface,
                         testing::Values(Case{{16, 16, 16}, {1, 1, 1, "px"}, true, 0.6},
                                         Case{{13, 21, 9}, {2, 0.5, 0.7, "µm"}, true, 0.7},
                                         Case{{16, 16, 16}, {1, 1, 1, "px"}, false, 0.5},
                                         Case{{1, 20, 30}, {1, 1, 1, "px"}, true, 0.8}));

TEST(SurfaceOf, TheThresholdItselfBelongsToIt) {
  Pixels<std::uint16_t> pixels(Size3{4, 4, 4});
  pixels.at(2, 1, 1) = 300;
  auto volume = std::make_shared<Volume>();
  volume->pixels = pixels;
  const auto caster = MipRaycaster::build(std::shared_ptr<const Volume>(volume));
  ASSERT_TRUE(caster.ok());
  RayCamera camera = orbit_camera(pixels.size, {}, 0, 0, 1.0);
  camera.height_world = 4.0;
  const auto at = [&](float threshold) {
    const auto got = (*caster)->surface(camera, 4, 4, kFinest, threshold);
    return got ? got->values : std::vector<float>();
  };
  const std::size_t there = 1 * 4 + 1;
  ASSERT_EQ(at(300.0F).size(), 16U);
  EXPECT_FALSE(std::isnan(at(300.0F)[there]));
  EXPECT_TRUE(std::isnan(at(300.5F)[there]));
  EXPECT_TRUE(std::isnan(at(300.0F)[there + 1]));
  // The eye looks along +z from as far as the camera says.
  EXPECT_FLOAT_EQ(at(300.0F)[there], static_cast<float>(2.0 - camera.eye[2]));
}

// A ball is brightest where it faces the lamp, and darkens towards its rim; across the gap to what
// is behind it nothing is mixed.
TEST(SurfaceShading, FollowsTheSlope) {
  constexpr int kSide = 101;
  constexpr double kRadius = 40.0;
  RayCamera camera;
  camera.right = {1, 0, 0};
  camera.up = {0, -1, 0};
  camera.forward = {0, 0, 1};
  camera.height_world = kSide;
  RayImage depths;
  depths.width = depths.height = kSide;
  for (int row = 0; row < kSide; ++row) {
    for (int col = 0; col < kSide; ++col) {
      const double away = std::hypot(row - kSide / 2, col - kSide / 2);
      depths.values.push_back(
          away < kRadius ? static_cast<float>(100.0 - std::sqrt(kRadius * kRadius - away * away))
          : col < 90     ? std::numeric_limits<float>::quiet_NaN()
                         : 1000.0F);
    }
  }
  const auto shaded = shade_surface(depths, camera, 1.0);
  ASSERT_TRUE(shaded.ok());
  const auto light = [&](int row, int col) {
    return shaded->values[static_cast<std::size_t>(row * kSide + col)];
  };
  // A little to the left of the middle and above it, where the lamp is.
  EXPECT_GT(light(50 - 12, 50 - 10), 0.97F);
  EXPECT_GT(light(50, 50), 0.9F);
  EXPECT_LT(light(50 + 25, 50 + 25), 0.7F);
  EXPECT_GT(light(50 - 20, 50 - 20), light(50 + 20, 50 + 20));
  EXPECT_TRUE(std::isnan(light(2, 2)));
  // A wall that faces the camera has one light, up to its edge.
  EXPECT_NEAR(light(50, 95), light(20, 98), 1e-4);
  for (const float v : shaded->values) EXPECT_TRUE(std::isnan(v) || (v > 0.0F && v <= 1.0F));
}

TEST(SurfaceShading, StepsOfCellsDoNotShow) {
  // A slope of a quarter, in steps of 1 as cubes make them.
  constexpr int kSide = 64;
  RayCamera camera;
  camera.height_world = kSide;
  RayImage depths;
  depths.width = depths.height = kSide;
  for (int i = 0; i < kSide * kSide; ++i) {
    const int step = (i % kSide) / 4;
    depths.values.push_back(static_cast<float>(50 + step));
  }
  const auto shaded = shade_surface(depths, camera, 1.0);
  ASSERT_TRUE(shaded.ok());
  float least = 1.0F;
  float most = 0.0F;
  for (int col = 16; col < 48; ++col) {
    const float v = shaded->values[static_cast<std::size_t>(32 * kSide + col)];
    least = std::min(least, v);
    most = std::max(most, v);
  }
  EXPECT_LT(most - least, 0.08F);
}

TEST(SurfaceShading, StopsWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  RayImage depths{8, 8, std::vector<float>(64, 1.0F)};
  EXPECT_FALSE(shade_surface(depths, {}, 1.0, JobContext(stop.get_token())).ok());
}

}  // namespace
}  // namespace aprscope
