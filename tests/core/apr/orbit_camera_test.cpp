// The camera that looks at a volume from a direction.
#include <array>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "core/apr/raycast/raycast.hpp"

namespace aprscope {
namespace {

using Vector = std::array<double, 3>;

const VoxelSize kCube{1.0, 1.0, 1.0, "px"};

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

TEST(OrbitCamera, StartsAsASliceIsShown) {
  const RayCamera c = orbit_camera({10, 20, 30}, {2.0, 1.0, 0.5, "µm"}, 0.0, 0.0, 1.0);
  const auto expect = [](const Vector& got, const Vector& want) {
    for (std::size_t a = 0; a < 3; ++a) EXPECT_NEAR(got[a], want[a], 1e-12);
  };
  expect(c.right, {1, 0, 0});
  expect(c.up, {0, -1, 0});
  expect(c.forward, {0, 0, 1});
  EXPECT_NEAR(c.eye[0], 7.5, 1e-12);
  EXPECT_NEAR(c.eye[1], 10.0, 1e-12);
  EXPECT_LT(c.eye[2], 0.0);
}

TEST(OrbitCamera, FitsTheVolumeFromEverySide) {
  const Size3 size{10, 40, 25};
  const VoxelSize voxel{3.0, 1.0, 0.5, "µm"};
  for (double azimuth = -180.0; azimuth <= 180.0; azimuth += 23.0) {
    for (double elevation = -90.0; elevation <= 90.0; elevation += 18.0) {
      const RayCamera c = orbit_camera(size, voxel, azimuth, elevation, 1.0);
      EXPECT_NEAR(dot(c.right, c.right), 1.0, 1e-12);
      EXPECT_NEAR(dot(c.up, c.up), 1.0, 1e-12);
      EXPECT_NEAR(dot(c.forward, c.forward), 1.0, 1e-12);
      EXPECT_NEAR(dot(c.right, c.up), 0.0, 1e-12);
      EXPECT_NEAR(dot(c.right, c.forward), 0.0, 1e-12);
      EXPECT_NEAR(dot(c.up, c.forward), 0.0, 1e-12);
      const double slope = std::tan(c.view_angle_degrees * std::numbers::pi / 360.0);
      for (int corner = 0; corner < 8; ++corner) {
        const Vector p{(corner & 1) * 25 * 0.5 - c.eye[0], (corner >> 1 & 1) * 40 * 1.0 - c.eye[1],
                       (corner >> 2) * 10 * 3.0 - c.eye[2]};
        const double depth = dot(p, c.forward);
        EXPECT_GT(depth, 0.0);
        for (const double off : {std::abs(dot(p, c.right)), std::abs(dot(p, c.up))}) {
          EXPECT_LE(off, 0.5 * c.height_world + 1e-9);
          EXPECT_LE(off, slope * depth + 1e-9);
        }
      }
    }
  }
}

TEST(OrbitCamera, AzimuthTurnsTheEyeToTheRightAndElevationLiftsIt) {
  const Size3 size{16, 16, 16};
  const RayCamera front = orbit_camera(size, kCube, 0.0, 0.0, 1.0);
  const RayCamera right = orbit_camera(size, kCube, 10.0, 0.0, 1.0);
  const RayCamera above = orbit_camera(size, kCube, 0.0, 10.0, 1.0);
  const auto moved = [&](const RayCamera& c, const Vector& along) {
    return dot({c.eye[0] - front.eye[0], c.eye[1] - front.eye[1], c.eye[2] - front.eye[2]}, along);
  };
  EXPECT_GT(moved(right, front.right), 0.0);
  EXPECT_NEAR(moved(right, front.up), 0.0, 1e-9);
  EXPECT_GT(moved(above, front.up), 0.0);
  EXPECT_NEAR(moved(above, front.right), 0.0, 1e-9);
}

TEST(OrbitCamera, ZoomMagnifies) {
  const RayCamera one = orbit_camera({16, 16, 16}, kCube, 30.0, 20.0, 1.0);
  const RayCamera two = orbit_camera({16, 16, 16}, kCube, 30.0, 20.0, 2.0);
  EXPECT_NEAR(two.height_world, 0.5 * one.height_world, 1e-9);
  EXPECT_NEAR(std::tan(two.view_angle_degrees * std::numbers::pi / 360.0),
              0.5 * std::tan(one.view_angle_degrees * std::numbers::pi / 360.0), 1e-9);
}

}  // namespace
}  // namespace aprscope
