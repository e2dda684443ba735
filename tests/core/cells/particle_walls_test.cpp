// Walls between basins of particles against those between the same basins of pixels.
#include "core/cells/particle_walls.hpp"

#include <gtest/gtest.h>

#include "core/cells/particle_basin_tree.hpp"
#include "core/cells/particle_basins.hpp"
#include "core/cells/wall_merges.hpp"
#include "tests/core/cells/particle_cases.hpp"
#include "tests/core/cells/pixel_flood.hpp"

namespace aprscope {
namespace {

TEST(ParticleWalls, AreThoseBetweenTheSameBasinsOfPixels) {
  std::uint64_t seed = 7;
  test::each_random_particles([&](const AprAccess& access, const std::vector<std::uint8_t>&) {
    const auto values = test::random_values(access.count(), ++seed, 0, 200, true);
    const BasinRule rule{test::kConnectivities[seed % 3], seed % 2 == 0, {}};
    const auto basins = find_particle_basins(access, values, rule);
    ASSERT_TRUE(basins.ok());
    const auto tree = particle_basin_tree(access, values, *basins, rule);
    ASSERT_TRUE(tree.ok());
    const RegionTable regions = cut_tree(*tree, 20.0);

    Basins painted = *basins;
    painted.labels = test::painted(access, basins->labels).values;
    const auto image = test::painted(access, values);
    const WallSource walls = particle_walls(access, values, *basins, rule);
    for (const double strongest : {30.0, 1e9}) {
      const auto expected = wall_merges(image, painted, regions, rule, strongest);
      const auto found = wall_merges(walls, *basins, regions, strongest);
      ASSERT_TRUE(expected.ok() && found.ok());
      ASSERT_EQ(*found, *expected);
    }

    const auto pixel_tree = basin_tree(image, painted, rule);
    ASSERT_TRUE(pixel_tree.ok());
    EXPECT_EQ(tree->passes, pixel_tree->passes);
  });
}

TEST(ParticleWalls, TellNoiseAndContrastOfThePixels) {
  const auto access = test::random_access({{30, 41, 50}, 5, 0.9, false});
  const auto values = test::random_values(access->count(), 3);
  const WallSignal expected = wall_signal(test::painted(*access, values));
  const WallSignal found = particle_signal(*access, values);
  EXPECT_GT(found.noise, 0.0);
  EXPECT_EQ(found.noise, expected.noise);
  EXPECT_EQ(found.contrast, expected.contrast);
}

TEST(ParticleWalls, BasinsAtTheBorderHaveAPixelThere) {
  for (const Size3 size : {Size3{12, 17, 21}, Size3{1, 30, 33}}) {
    const auto access = test::random_access({size, 5, 0.7, false});
    const auto values = test::random_values(access->count(), 3);
    const auto basins = find_particle_basins(*access, values, {});
    ASSERT_TRUE(basins.ok());
    std::vector<bool> expected(basins->floors.size(), false);
    const auto labels = test::painted(*access, basins->labels);
    test::each_pixel(size, [&](std::int64_t z, std::int64_t x, std::int64_t y) {
      if ((size.z > 1 && (z == 0 || z + 1 == size.z)) || x == 0 || x + 1 == size.x || y == 0 ||
          y + 1 == size.y) {
        expected[labels.at(z, x, y)] = true;
      }
    });
    EXPECT_EQ(particle_basins_at_border(*access, *basins), expected);
  }
}

}  // namespace
}  // namespace aprscope
