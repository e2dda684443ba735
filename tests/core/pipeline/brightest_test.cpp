#include "core/pipeline/brightest.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/core/pipeline/data_builders.hpp"

namespace aprscope {
namespace {

std::shared_ptr<const Dataset> image_of(const Pixels<float>& pixels, const VoxelSize& voxel = {}) {
  Volume volume;
  volume.pixels = pixels;
  volume.voxel = voxel;
  return Dataset::create(std::move(volume));
}

TEST(Brightest, IsTheFirstOfTheLargestThatIsANumber) {
  Pixels<float> pixels({3, 4, 5}, 1.0F);
  pixels.at(0, 0, 1) = std::numeric_limits<float>::quiet_NaN();
  pixels.at(1, 2, 3) = 7.0F;
  pixels.at(2, 0, 0) = 7.0F;
  const auto found = brightest(*image_of(pixels));
  ASSERT_TRUE(found.ok());
  ASSERT_TRUE(found->has_value());
  EXPECT_EQ(**found, (Index3{1, 2, 3}));
  const Pixels<float> nothing({2, 2, 2}, std::numeric_limits<float>::quiet_NaN());
  const auto none = brightest(*image_of(nothing));
  ASSERT_TRUE(none.ok());
  EXPECT_FALSE(none->has_value());
}

TEST(Brightest, OfParticlesIsWhereItsReconstructionIsLargest) {
  const auto data = Dataset::create(Data(test::uniform_apr({8, 8, 8}, 2, test::rough)));
  const auto found = brightest(*data);
  ASSERT_TRUE(found.ok() && found->has_value());
  float largest = -1e30F;
  Index3 where{};
  for (std::int64_t z = 0; z < 8; ++z) {
    for (std::int64_t x = 0; x < 8; ++x) {
      for (std::int64_t y = 0; y < 8; ++y) {
        const float v = data->probe({z, x, y}).value;
        if (v > largest) {
          largest = v;
          where = {z, x, y};
        }
      }
    }
  }
  EXPECT_EQ(data->probe(**found).value, largest);
  EXPECT_EQ(**found, where);
}

// A picture's pixel shows the largest value along its ray: the place that is found has it.
TEST(Brightest, AlongARayIsOfWhatTheCameraSees) {
  // Three bright pixels behind each other, the brightest one first.
  Volume volume;
  Pixels<float> pixels({12, 9, 9});
  pixels.at(2, 4, 4) = 300.0F;
  pixels.at(5, 4, 4) = 100.0F;
  pixels.at(8, 4, 4) = 200.0F;
  volume.pixels = std::move(pixels);
  const auto data = Dataset::create(std::move(volume));
  for (const bool perspective : {false, true}) {
    RayCamera camera = orbit_camera(data->size(), data->voxel(), 0.0, 0.0, 1.0);
    camera.perspective = perspective;
    EXPECT_EQ(brightest_along(*data, camera, 0.0, 0.0), std::optional(Index3{2, 4, 4}));
    camera.only = Region{{4, 0, 0}, {12, 9, 9}};
    EXPECT_EQ(brightest_along(*data, camera, 0.0, 0.0), std::optional(Index3{8, 4, 4}));
    EXPECT_EQ(first_along(*data, camera, 0.0, 0.0, {50.0, LevelSets::superlevel}),
              std::optional(Index3{5, 4, 4}));
    camera.only = Region{{-3, 2, 2}, {7, 70, 70}};
    EXPECT_EQ(brightest_along(*data, camera, 0.0, 0.0), std::optional(Index3{2, 4, 4}));
    camera.only = Region{{4, 0, 0}, {4, 9, 9}};
    EXPECT_FALSE(brightest_along(*data, camera, 0.0, 0.0));
    camera.only = Region{{0, 0, 6}, {12, 9, 9}};
    EXPECT_FALSE(brightest_along(*data, camera, 0.0, 0.0));
  }
}

// In translucent matter a place counts by what comes through to the eye.
TEST(Brightest, OfMatterIsWhereHalfOfItsLightComesFrom) {
  Volume volume;
  Pixels<float> pixels({12, 9, 9});
  for (std::int64_t z = 2; z < 5; ++z) pixels.at(z, 4, 4) = 100.0F;
  pixels.at(8, 4, 4) = 1000.0F;
  volume.pixels = std::move(pixels);
  volume.voxel = {2.0, 1.0, 1.0, "µm"};
  const auto data = Dataset::create(std::move(volume));
  for (const bool perspective : {false, true}) {
    RayCamera camera = orbit_camera(data->size(), data->voxel(), 0.0, 0.0, 1.0);
    camera.perspective = perspective;
    // Thick: the front pixel of the first layer; thin: the middle of what is as bright; very thin
    // and with a contrast for the brightest: the pixel behind.
    const auto at = [&](const Translucency& matter) {
      const auto seen = seen_along(*data, camera, 0.0, 0.0, matter);
      EXPECT_TRUE(!seen || (seen->brightness > 0.0F && seen->brightness <= 1.0F));
      return seen ? std::optional(seen->pixel) : std::nullopt;
    };
    EXPECT_EQ(at({{0.0, 100.0, 1.0}, 0.5}), std::optional(Index3{2, 4, 4}));
    EXPECT_EQ(at({{0.0, 100.0, 1.0}, 50.0}), std::optional(Index3{3, 4, 4}));
    EXPECT_EQ(at({{0.0, 1000.0, 1.0}, 50.0}), std::optional(Index3{8, 4, 4}));
    EXPECT_FALSE(at({{1000.0, 2000.0, 1.0}, 5.0}));
  }
}

TEST(Brightest, AlongARayIsWhatTheProjectionShows) {
  // Odd sides: the rays in the middle run through pixels, not between them.
  Pixels<float> pixels({9, 15, 21});
  for (std::size_t i = 0; i < pixels.values.size(); ++i) {
    pixels.values[i] = static_cast<float>((i * 7919) % 10007);
  }
  const auto data = image_of(pixels, {3.0, 1.0, 0.5, "µm"});
  const auto caster = data->raycaster({});
  ASSERT_TRUE(caster.ok());
  constexpr int kWidth = 41;
  constexpr int kHeight = 31;
  for (const bool perspective : {false, true}) {
    for (const auto& [azimuth, elevation] : {std::pair(0.0, 0.0), {35.0, 20.0}, {-120.0, 65.0}}) {
      // At a zoom where no ray runs along the border of two pixels.
      RayCamera camera = orbit_camera(data->size(), data->voxel(), azimuth, elevation, 1.0371);
      camera.perspective = perspective;
      const auto image = (*caster)->render(camera, kWidth, kHeight, 31);
      ASSERT_TRUE(image.ok());
      int seen = 0;
      int other = 0;
      for (int row = 0; row < kHeight; ++row) {
        for (int col = 0; col < kWidth; ++col) {
          const float shown = image->values[static_cast<std::size_t>(row * kWidth + col)];
          const double u = (col + 0.5 - 0.5 * kWidth) / kHeight;
          const double v = (0.5 * kHeight - row - 0.5) / kHeight;
          const auto found = brightest_along(*data, camera, u, v);
          if (std::isnan(shown) || !found) continue;
          ++seen;
          other += data->probe(*found).value == shown ? 0 : 1;
        }
      }
      EXPECT_GT(seen, 100);
      // Where a ray grazes an edge of a pixel, rounding decides whether it goes through.
      EXPECT_LE(other, seen / 50) << seen;
    }
  }
}

}  // namespace
}  // namespace aprscope
