#include "core/apr/raycast/seen_box.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include <gtest/gtest.h>

#include "tests/core/apr/ray_march.hpp"

namespace aprscope {
namespace {

const Size3 kVolume{20, 28, 36};
const VoxelSize kSides{2.0, 1.0, 0.5, "µm"};

void join(std::optional<Region>& box, const Index3& p) {
  if (!box) box = Region{p, p};
  box->begin = {std::min(box->begin.z, p.z), std::min(box->begin.x, p.x),
                std::min(box->begin.y, p.y)};
  box->end = {std::max(box->end.z, p.z + 1), std::max(box->end.x, p.x + 1),
              std::max(box->end.y, p.y + 1)};
}

// The pixels that rays of a picture run through, by brute force: also rays between those of its
// pixels, and at its edges.
std::optional<Region> marched(const RayCamera& camera, int width, int height) {
  constexpr int kSteps = 3;
  std::optional<Region> box;
  for (int i = 0; i <= kSteps * height; ++i) {
    for (int k = 0; k <= kSteps * width; ++k) {
      const test::WorldRay ray =
          test::camera_ray(camera, width, height, static_cast<double>(i) / kSteps - 0.5,
                           static_cast<double>(k) / kSteps - 0.5);
      for (const test::RayPiece& piece : test::pieces_along(kVolume, kSides, ray, camera.only)) {
        join(box, piece.pixel);
      }
    }
  }
  return box;
}

void expect_box(const RayCamera& camera, int width, int height) {
  const auto wanted = marched(camera, width, height);
  const auto box = seen_box(camera, kVolume, kSides, static_cast<double>(width) / height);
  if (!wanted) {
    // Between rays there may be a corner of it.
    EXPECT_LE(box ? box->size().count() : 0, 8);
    return;
  }
  ASSERT_TRUE(box);
  // Rays at the edge graze pixels, and corners lie between rays.
  for (const std::int64_t beyond : {wanted->begin.z - box->begin.z, wanted->begin.x - box->begin.x,
                                    wanted->begin.y - box->begin.y, box->end.z - wanted->end.z,
                                    box->end.x - wanted->end.x, box->end.y - wanted->end.y}) {
    EXPECT_GE(beyond, 0);
    EXPECT_LE(beyond, 1);
  }
}

TEST(SeenBox, HoldsWhatRaysMeetAndNoMore) {
  for (const bool perspective : {false, true}) {
    for (const double zoom : {0.7, 2.5, 9.0}) {
      for (const auto& [azimuth, elevation] : {std::pair{0.0, 0.0}, {30.0, 25.0}, {-130.0, 60.0}}) {
        SCOPED_TRACE(testing::Message() << perspective << ' ' << zoom << ' ' << azimuth);
        RayCamera camera = orbit_camera(kVolume, kSides, azimuth, elevation, zoom);
        camera.perspective = perspective;
        expect_box(camera, 31, 21);
        camera.only = Region{{3, 4, -5}, {90, 12, 20}};
        expect_box(camera, 21, 31);
      }
    }
  }
}

TEST(SeenBox, BeginsWithAnEyeInside) {
  RayCamera camera = orbit_camera(kVolume, kSides, 15.0, 10.0, 1.0);
  camera.perspective = true;
  camera.eye = {9.2, 14.0, 20.0};
  expect_box(camera, 24, 24);
  camera.view_angle_degrees = 4.0;
  expect_box(camera, 24, 24);
}

TEST(SeenBox, IsNoneWherePicturesPassBy) {
  RayCamera camera = orbit_camera(kVolume, kSides, 20.0, 10.0, 4.0);
  for (std::size_t a = 0; a < 3; ++a) camera.eye[a] += 500.0 * camera.right[a];
  EXPECT_FALSE(seen_box(camera, kVolume, kSides, 1.0));
  // Behind an eye there is nothing, either.
  camera = orbit_camera(kVolume, kSides, 20.0, 10.0, 1.0);
  camera.perspective = true;
  for (std::size_t a = 0; a < 3; ++a) camera.forward[a] = -camera.forward[a];
  EXPECT_FALSE(seen_box(camera, kVolume, kSides, 1.0));
  // A part outside of the volume.
  camera = orbit_camera(kVolume, kSides, 20.0, 10.0, 1.0);
  camera.only = Region{{30, 0, 0}, {40, 9, 9}};
  EXPECT_FALSE(seen_box(camera, kVolume, kSides, 1.0));
}

TEST(SeenBox, SizesThatMakeNoSenseCountAsOne) {
  const RayCamera camera = orbit_camera({4, 4, 4}, {1.0, 1.0, 1.0}, 0.0, 0.0, 1.0);
  const auto box = seen_box(camera, {4, 4, 4}, {0.0, NAN, -1.0}, 1.0);
  ASSERT_TRUE(box);
  EXPECT_EQ(*box, whole({4, 4, 4}));
}

}  // namespace
}  // namespace aprscope
