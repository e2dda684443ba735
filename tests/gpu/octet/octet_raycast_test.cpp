#include "gpu/octet/octet_raycast.hpp"

#include <cmath>

#include "tests/gpu/cuda_fixture.hpp"

namespace aprscope {
namespace {

class OctetRaycastTest : public test::CudaTest {};

// Translucent matter, equal but for rounding. Where rays end depends on it, too, so that what one
// leaves out may be what the other has: 1 / 512 of the contrast.
void expect_same_matter(const gpu::OctetRaycaster& raycaster, const MipRaycaster& reference,
                        double angle, bool perspective, const Size3& size, const VoxelSize& voxel) {
  RayCamera camera = orbit_camera(size, voxel, angle, 0.4 * angle, 1.3);
  camera.perspective = perspective;
  if (angle == 30.0) camera.only = Region{{0, size.x / 4, -3}, {size.z, size.x - 2, size.y}};
  for (const Translucency& matter :
       {Translucency{{0.0, 900.0, 1.0}, 0.03 * mean_side(size, voxel)},
        Translucency{{-50.0, 700.0, 0.6}, 0.5 * mean_side(size, voxel)}}) {
    const auto expected = reference.translucent(camera, 93, 71, matter);
    ASSERT_TRUE(expected.ok());
    const RayImage got = raycaster.translucent(camera, 93, 71, matter);
    ASSERT_EQ(got.values.size(), expected->values.size());
    const double range = matter.contrast.high - matter.contrast.low;
    int lit = 0;
    for (std::size_t i = 0; i < got.values.size(); ++i) {
      const double a = got.values[i];
      const double b = expected->values[i];
      ASSERT_EQ(std::isnan(a), std::isnan(b)) << i;
      if (std::isnan(a)) continue;
      ASSERT_NEAR(a, b, 1.01 * range / 512.0) << i;
      lit += b > matter.contrast.low + 0.1 * range ? 1 : 0;
    }
    EXPECT_GT(lit, 0);
  }
}

TEST_F(OctetRaycastTest, PicturesEqualThoseOfTheCpu) {
  const VoxelSize voxels[] = {{1.0, 1.0, 1.0, "px"}, {3.0, 1.0, 0.5, "µm"}};
  for (const Size3 size : {Size3{40, 50, 70}, Size3{33, 17, 49}, Size3{1, 61, 90}}) {
    for (const VoxelSize& voxel : voxels) {
      const auto access = test::random_access({size, 3, 0.6, size.z != 33});
      const auto values = test::random_values(access->count(), 5, -100.0F, 1000.0F);
      const auto reference = MipRaycaster::build(access, values, voxel);
      ASSERT_TRUE(reference.ok());
      const gpu::OctetApr apr(access, device_);
      const gpu::OctetValues octets = apr.make_values();
      apr.upload(values, octets);
      const gpu::OctetRaycaster raycaster(apr, octets, voxel);
      for (const double angle : {0.0, 30.0, 77.0, 90.0, 200.0}) {
        for (const bool perspective : {false, true}) {
          for (const int finest : {access->level_max(), access->level_max() - 2}) {
            RayCamera camera = orbit_camera(size, voxel, angle, 0.4 * angle, 1.3);
            camera.perspective = perspective;
            if (angle == 30.0 || angle == 90.0) {
              camera.only =
                  Region{{0, size.x / 4, -3}, {(size.z + 1) / 2, size.x - 2, size.y / 2 + 1}};
            }
            const auto expected = (*reference)->render(camera, 93, 71, finest);
            ASSERT_TRUE(expected.ok());
            const RayImage got = raycaster.render(camera, 93, 71, finest);
            ASSERT_EQ(got.values.size(), expected->values.size());
            int different = 0;
            for (std::size_t i = 0; i < got.values.size(); ++i) {
              const float a = got.values[i];
              const float b = expected->values[i];
              if (std::isnan(a) != std::isnan(b) || (!std::isnan(a) && a != b)) ++different;
            }
            EXPECT_EQ(different, 0)
                << angle << " " << perspective << " " << finest << " " << size.z;
          }
          expect_same_matter(raycaster, **reference, angle, perspective, size, voxel);
        }
      }
    }
  }
}

}  // namespace
}  // namespace aprscope
