// Cameras on the way between others, against what is known of turns.
#include "core/apr/raycast/camera_path.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "core/apr/raycast/raycast.hpp"

namespace aprscope {
namespace {

using Vector = std::array<double, 3>;

const Size3 kSize{20, 30, 40};
const VoxelSize kVoxel{2.0, 1.0, 0.5, "µm"};

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

double degrees_between(const Vector& a, const Vector& b) {
  return std::acos(std::clamp(dot(a, b), -1.0, 1.0)) * 180.0 / M_PI;
}

void expect_near(const Vector& got, const Vector& want, double tolerance) {
  for (std::size_t a = 0; a < 3; ++a) EXPECT_NEAR(got[a], want[a], tolerance);
}

void expect_sound(const RayCamera& c) {
  for (const auto& [a, b] : {std::pair{c.right, c.up}, {c.up, c.forward}, {c.forward, c.right}}) {
    EXPECT_NEAR(dot(a, b), 0.0, 1e-9);
    EXPECT_NEAR(dot(a, a), 1.0, 1e-9);
  }
}

TEST(CameraPath, BetweenTwoAzimuthsLiesTheAzimuthBetween) {
  const RayCamera a = orbit_camera(kSize, kVoxel, 10.0, 0.0, 1.0);
  const RayCamera b = orbit_camera(kSize, kVoxel, 80.0, 0.0, 1.0);
  for (const double t : {0.0, 0.25, 0.5, 0.9, 1.0}) {
    const RayCamera got = camera_between(a, b, t, kSize, kVoxel);
    const RayCamera want = orbit_camera(kSize, kVoxel, 10.0 + 70.0 * t, 0.0, 1.0);
    expect_near(got.forward, want.forward, 1e-9);
    expect_near(got.up, want.up, 1e-9);
    expect_near(got.right, want.right, 1e-9);
    expect_near(got.eye, want.eye, 1e-6);
    EXPECT_NEAR(got.height_world, want.height_world, 1e-9);
  }
}

TEST(CameraPath, TurnsEvenlyAboutOneAxis) {
  const RayCamera a = orbit_camera(kSize, kVoxel, -30.0, 55.0, 1.0);
  for (const RayCamera& b : {orbit_camera(kSize, kVoxel, 120.0, -20.0, 3.0),
                             orbit_camera(kSize, kVoxel, 150.0, -55.0, 1.0),
                             orbit_camera(kSize, kVoxel, -30.0, 55.0, 2.0)}) {
    // Equal steps turn each direction by equal angles about a fixed axis.
    RayCamera before = a;
    double first = -1.0;
    for (int k = 1; k <= 8; ++k) {
      const RayCamera now = camera_between(a, b, k / 8.0, kSize, kVoxel);
      expect_sound(now);
      const double step = degrees_between(before.forward, now.forward);
      if (first < 0.0) first = step;
      EXPECT_NEAR(step, first, 1e-4);
      before = now;
    }
    expect_near(before.forward, b.forward, 1e-12);
  }
}

TEST(CameraPath, HalfATurnIsFound) {
  for (const double elevation : {0.0, 30.0, 90.0}) {
    const RayCamera a = orbit_camera(kSize, kVoxel, 0.0, elevation, 1.0);
    const RayCamera b = orbit_camera(kSize, kVoxel, 180.0, elevation, 1.0);
    const RayCamera middle = camera_between(a, b, 0.5, kSize, kVoxel);
    expect_sound(middle);
    const double whole_turn = degrees_between(a.right, middle.right);
    EXPECT_NEAR(degrees_between(middle.right, b.right), whole_turn, 1e-6);
    const RayCamera last = camera_between(a, b, 1.0 - 1e-9, kSize, kVoxel);
    expect_near(last.forward, b.forward, 1e-6);
    expect_near(last.up, b.up, 1e-6);
  }
}

TEST(CameraPath, ZoomsInEqualRatiosAndKeepsThePlaceInSight) {
  RayCamera a = orbit_camera(kSize, kVoxel, 0.0, 0.0, 1.0);
  RayCamera b = orbit_camera(kSize, kVoxel, 0.0, 0.0, 16.0);
  // Both look beside the middle.
  for (RayCamera* c : {&a, &b}) c->eye[0] += 3.0;
  const RayCamera half = camera_between(a, b, 0.5, kSize, kVoxel);
  EXPECT_NEAR(half.height_world, a.height_world / 4.0, 1e-9);
  expect_near(half.eye, a.eye, 1e-9);
}

TEST(CameraPath, PerspectiveLooksAtThePlacesBetween) {
  RayCamera a = orbit_camera(kSize, kVoxel, 20.0, 10.0, 1.0);
  RayCamera b = orbit_camera(kSize, kVoxel, 90.0, 40.0, 1.0);
  a.perspective = b.perspective = true;
  // The middle of the volume is on all lines of sight.
  const Vector middle{10.0, 15.0, 20.0};
  for (const double t : {0.2, 0.5, 0.7}) {
    const RayCamera c = camera_between(a, b, t, kSize, kVoxel);
    EXPECT_TRUE(c.perspective);
    Vector way{};
    for (std::size_t i = 0; i < 3; ++i) way[i] = middle[i] - c.eye[i];
    const double distance = std::sqrt(dot(way, way));
    EXPECT_NEAR(dot(way, c.forward), distance, 1e-9 * distance);
  }
}

TEST(CameraPath, EdgesOfWhatIsSeenMove) {
  RayCamera a = orbit_camera(kSize, kVoxel, 0.0, 0.0, 1.0);
  RayCamera b = a;
  EXPECT_FALSE(camera_between(a, b, 0.5, kSize, kVoxel).only);
  b.only = Region{{10, 10, 0}, {20, 20, 20}};
  EXPECT_EQ(camera_between(a, b, 0.5, kSize, kVoxel).only, (Region{{5, 5, 0}, {20, 25, 30}}));
  a.only = Region{{0, 10, 0}, {10, 20, 40}};
  EXPECT_EQ(camera_between(a, b, 0.25, kSize, kVoxel).only, (Region{{3, 10, 0}, {13, 20, 35}}));
  EXPECT_EQ(camera_between(a, b, 1.0, kSize, kVoxel).only, b.only);
}

TEST(CameraPath, GoesFromStopToStop) {
  const std::vector<RayCamera> stops{orbit_camera(kSize, kVoxel, 0.0, 0.0, 1.0),
                                     orbit_camera(kSize, kVoxel, 90.0, 0.0, 1.0),
                                     orbit_camera(kSize, kVoxel, 90.0, 45.0, 2.0)};
  const auto path = camera_path(stops, 10, kSize, kVoxel);
  ASSERT_EQ(path.size(), 21U);
  for (std::size_t i = 0; i < stops.size(); ++i) {
    expect_near(path[10 * i].forward, stops[i].forward, 1e-12);
    EXPECT_EQ(path[10 * i].height_world, stops[i].height_world);
  }
  // Slow at stops, fast between them.
  const auto step = [&](std::size_t i) {
    return degrees_between(path[i].forward, path[i + 1].forward);
  };
  EXPECT_LT(step(0), 0.3 * step(4));
  EXPECT_LT(step(9), 0.3 * step(5));
  // Directions of any length that stand askew are set upright.
  RayCamera askew = stops[0];
  for (double& part : askew.forward) part *= 7.0;
  for (std::size_t a = 0; a < 3; ++a) askew.up[a] = 3.0 * askew.up[a] + 0.5 * stops[0].forward[a];
  askew.right = {0, 0, 0};
  const auto mended = camera_path({askew, stops[1]}, 4, kSize, kVoxel);
  expect_near(mended[0].right, stops[0].right, 1e-12);
  expect_near(mended[0].up, stops[0].up, 1e-12);
  for (const RayCamera& one : mended) expect_sound(one);
  EXPECT_EQ(camera_path({}, 10, kSize, kVoxel).size(), 0U);
  EXPECT_EQ(camera_path({stops[0]}, 10, kSize, kVoxel).size(), 1U);
}

}  // namespace
}  // namespace aprscope
