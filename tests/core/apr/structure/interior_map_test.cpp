#include "core/apr/structure/interior_map.hpp"

#include <gtest/gtest.h>

#include "tests/support/random_apr.hpp"

namespace aprscope {
namespace {

class InteriorMapOf : public testing::TestWithParam<Size3> {};

// Bits, ranks and indices against the sorted lists that they stand for.
TEST_P(InteriorMapOf, SaysWhatTheLinearAccessSays) {
  const auto access = test::random_access({GetParam(), 7, 0.7, false});
  const LinearAccess& tree = access->tree();
  const LinearAccess& particles = access->particles();
  const InteriorMap map(tree);
  EXPECT_EQ(map.level_max(), access->level_max());
  for (int l = 0; l <= access->level_max(); ++l) {
    const Size3 grid = level_grid(access->size(), access->level_max(), l);
    for (std::int64_t z = 0; z < grid.z; ++z) {
      for (std::int64_t x = 0; x < grid.x; ++x) {
        for (std::int64_t y = 0; y < grid.y; ++y) {
          if (l < access->level_max()) {
            const auto interior = tree.find(l, z, x, y);
            ASSERT_EQ(map.level(l).test(z, x, y), interior.has_value());
            if (interior) {
              ASSERT_EQ(
                  tree.row(l, z, x).begin + static_cast<std::uint64_t>(map.level(l).rank(z, x, y)),
                  *interior);
            }
          }
          if (l == 0) continue;
          if (const auto particle = particles.find(l, z, x, y)) {
            ASSERT_EQ(particles.row(l, z, x).begin +
                          static_cast<std::uint64_t>(map.particle_rank(l, z, x, y)),
                      *particle);
          }
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, InteriorMapOf,
                         testing::Values(Size3{1, 1, 1}, Size3{1, 1, 300}, Size3{1, 19, 140},
                                         Size3{13, 18, 27}, Size3{5, 7, 261}));

// Counted in the memory that a structure takes, once it is there.
TEST(InteriorMap, IsMadeOnceAndCounted) {
  const auto access = test::random_access({{32, 32, 32}, 3, 0.6, true});
  const std::uint64_t before = access->bytes();
  const InteriorMap& map = access->interior();
  EXPECT_EQ(&map, &access->interior());
  EXPECT_EQ(access->bytes(), before + map.bytes());
  // A bit and a quarter for each cell of the level above the finest, an eighth of the pixels, and
  // so on; rows are whole words, which small images fill badly.
  EXPECT_GE(map.bytes(), 32U * 32U * 32U / 8U / 8U);
}

}  // namespace
}  // namespace aprscope
