// Exterior and lumens of particles against flooding the pixels that they stand for.
#include "core/cells/particle_exterior.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/core/cells/particle_cases.hpp"
#include "tests/core/cells/pixel_flood.hpp"

namespace aprscope {
namespace {

constexpr std::uint32_t kExterior = ParticleWater::kExterior;

std::uint64_t pixels_of(const Pixels<std::uint32_t>& image, std::uint32_t label) {
  return static_cast<std::uint64_t>(std::count(image.values.begin(), image.values.end(), label));
}

void expect_pixels(const AprAccess& access, const std::vector<std::uint8_t>& membrane,
                   Connectivity connectivity) {
  Pixels<std::uint32_t> expected;
  const std::uint32_t lumens =
      test::naive_water(test::painted(access, membrane), connectivity, kExterior, expected);
  const auto water = fill_particles(access, membrane, connectivity);
  ASSERT_TRUE(water.ok());
  ASSERT_EQ(test::painted(access, water->values).values, expected.values);
  ASSERT_EQ(water->lumens(), lumens);
  for (std::uint32_t label = 0; label <= lumens; ++label) {
    EXPECT_EQ(water->pixels[label], pixels_of(expected, label));
  }
  EXPECT_EQ(water->exterior_pixels, pixels_of(expected, kExterior));

  Pixels<std::uint8_t> inside(access.size());
  for (std::size_t i = 0; i < inside.values.size(); ++i) {
    inside.values[i] = expected.values[i] == kExterior ? 0 : 1;
  }
  Pixels<std::uint32_t> cells(access.size());
  test::label_rest(inside, connectivity, cells);
  const auto found = cells_of(access, *water, connectivity);
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(test::painted(access, found->values).values, cells.values);
}

TEST(ParticleExterior, IsThatOfThePixelsVoxelForVoxel) {
  test::each_random_particles([](const AprAccess& access, const std::vector<std::uint8_t>& mask) {
    for (const Connectivity connectivity : test::kConnectivities) {
      expect_pixels(access, mask, connectivity);
    }
  });
}

TEST(ParticleExterior, IsThatOfThePixelsAtEveryThreshold) {
  const auto access = test::random_access({{19, 23, 30}, 3, 0.6, true});
  const auto values = test::random_values(access->count(), 9, 0, 12, true);
  for (int threshold = 0; threshold <= 12; ++threshold) {
    std::vector<std::uint8_t> mask(values.size());
    std::ranges::transform(values, mask.begin(), [&](float v) {
      return static_cast<std::uint8_t>(v >= static_cast<float>(threshold));
    });
    expect_pixels(*access, mask, Connectivity::faces);
    expect_pixels(*access, mask, Connectivity::corners);
  }
}

TEST(ParticleExterior, OfAHollowBallIsAllThatIsOutside) {
  // Every pixel a particle: the shell between the radii 6 and 8.
  const Size3 size{21, 21, 21};
  const auto access = test::full_access(size);
  std::vector<std::uint8_t> shell(access->count());
  std::uint64_t membrane = 0;
  std::uint64_t lumen = 0;
  std::size_t at = 0;
  test::each_pixel(size, [&](std::int64_t z, std::int64_t x, std::int64_t y) {
    const auto r2 = (z - 10) * (z - 10) + (x - 10) * (x - 10) + (y - 10) * (y - 10);
    shell[at++] = r2 >= 36 && r2 <= 64 ? 1 : 0;
    membrane += r2 >= 36 && r2 <= 64 ? 1 : 0;
    lumen += r2 < 36 ? 1 : 0;
  });
  const auto water = fill_particles(*access, shell, Connectivity::faces);
  ASSERT_TRUE(water.ok());
  EXPECT_EQ(water->pixels, (std::vector<std::uint64_t>{membrane, lumen}));
  EXPECT_EQ(water->exterior_pixels, 21U * 21U * 21U - membrane - lumen);
}

TEST(ParticleExterior, IsAllWithoutMembranesAndNothingWithoutWater) {
  const auto access = test::random_access({{9, 14, 11}, 2, 0.6, true});
  for (const std::uint8_t value : {0, 1}) {
    const std::vector<std::uint8_t> mask(access->count(), value);
    const auto water = fill_particles(*access, mask, Connectivity::faces);
    ASSERT_TRUE(water.ok());
    EXPECT_EQ(water->lumens(), 0U);
    EXPECT_EQ(water->exterior_pixels, value == 0 ? 9U * 14U * 11U : 0U);
    EXPECT_EQ(water->pixels[0], value == 0 ? 0U : 9U * 14U * 11U);
  }
}

}  // namespace
}  // namespace aprscope
