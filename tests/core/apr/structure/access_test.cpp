#include "core/apr/structure/access.hpp"

#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/random_apr.hpp"

namespace aprscope {
namespace {

Result<std::shared_ptr<const AprAccess>> make(Size3 size, std::vector<std::uint16_t> y,
                                              std::vector<std::uint64_t> rows) {
  const int level_max = finest_level(size);
  auto cells = LinearAccess::create(size, level_max, 1, level_max, std::move(y), std::move(rows));
  EXPECT_TRUE(cells.ok()) << cells.error().message();
  return AprAccess::create(std::move(*cells));
}

// 1 × 2 × 4 pixels: level 1 has two cells (rows: 1), level 2 has 2 × 4 (rows: 2).
TEST(AprAccess, AcceptsAPartition) {
  const auto made = make({1, 2, 4}, {0, 2, 3, 2, 3}, {0, 1, 3, 5});
  ASSERT_TRUE(made.ok()) << made.error().message();
  const AprAccess& access = **made;
  EXPECT_EQ(access.count(), 5U);
  EXPECT_DOUBLE_EQ(access.computational_ratio(), 8.0 / 5.0);
  EXPECT_EQ(access.level_min_used(), 1);
  EXPECT_EQ(access.find({0, 1, 1}).level, 1);
  EXPECT_EQ(access.find({0, 1, 1}).index, 0U);
  EXPECT_EQ(access.find({0, 1, 2}).level, 2);
  EXPECT_EQ(access.find({0, 1, 2}).index, 3U);
  // The tree: the root, and the right half at level 1.
  EXPECT_EQ(access.tree().count(), 2U);
  EXPECT_EQ(access.tree().find(0, 0, 0, 0), 0U);
  EXPECT_EQ(access.tree().find(1, 0, 0, 1), 1U);
}

TEST(AprAccess, RefusesHoles) {
  const auto made = make({1, 2, 4}, {0, 2, 3, 2}, {0, 1, 3, 4});
  ASSERT_FALSE(made.ok());
  EXPECT_NE(made.error().message().find("7 of 8"), std::string::npos) << made.error().message();
}

TEST(AprAccess, RefusesOverlaps) {
  // Both halves coarse and the right half fine too.
  EXPECT_FALSE(make({1, 2, 4}, {0, 1, 2, 3, 2, 3}, {0, 2, 4, 6}).ok());
}

TEST(AprAccess, RefusesAnOverlapThatHidesAHole) {
  // The left half is coarse and fine at once, nothing covers the right half: 8 of 8 pixels.
  EXPECT_FALSE(make({1, 2, 4}, {0, 0, 1, 0, 1}, {0, 1, 3, 5}).ok());
}

TEST(AprAccess, RefusesAnOverlapAcrossLevels) {
  // 1 × 1 × 8, levels 1–3: cell [0, 4) at level 1 holds four pixels of level 3, [4, 8) nothing.
  EXPECT_FALSE(make({1, 1, 8}, {0, 0, 1, 2, 3}, {0, 1, 1, 5}).ok());
}

TEST(AprAccess, RefusesAPartialOctet) {
  // 1 × 2 × 2: three of four pixels at the only level.
  EXPECT_FALSE(make({1, 2, 2}, {0, 1, 1}, {0, 2, 3}).ok());
}

TEST(AprAccess, RefusesNoParticles) { EXPECT_FALSE(make({1, 2, 2}, {}, {0, 0, 0}).ok()); }

TEST(AprAccess, RefusesRowsOfOtherLevels) {
  auto cells = LinearAccess::create({1, 2, 4}, 2, 2, 2, {0, 1, 2, 3, 0, 1, 2, 3}, {0, 4, 8});
  ASSERT_TRUE(cells.ok());
  EXPECT_FALSE(AprAccess::create(std::move(*cells)).ok());
}

class RandomAccess : public testing::TestWithParam<std::tuple<Size3, double, bool>> {};

TEST_P(RandomAccess, FindAgreesWithPaintedCells) {
  const auto& [size, split, balanced] = GetParam();
  const auto access = test::random_access({size, 7, split, balanced});
  const test::ParticleMap map = test::particle_map(*access);
  for (std::int64_t z = 0; z < size.z; ++z) {
    for (std::int64_t x = 0; x < size.x; ++x) {
      for (std::int64_t y = 0; y < size.y; ++y) {
        const ParticleAt found = access->find({z, x, y});
        ASSERT_EQ(found.level, map.level.at(z, x, y));
        ASSERT_EQ(found.index, map.index.at(z, x, y));
      }
    }
  }
}

// The tree is the set of all proper ancestors of particles, nothing else.
TEST_P(RandomAccess, TreeIsTheSetOfAncestors) {
  const auto& [size, split, balanced] = GetParam();
  const auto access = test::random_access({size, 8, split, balanced});
  using Cell = std::tuple<int, std::int64_t, std::int64_t, std::int64_t>;
  const auto cells_of = [](const LinearAccess& a, const auto& visit) {
    for (int l = a.level_first(); l <= a.level_last(); ++l) {
      for (std::int64_t z = 0; z < a.grid(l).z; ++z) {
        for (std::int64_t x = 0; x < a.grid(l).x; ++x) {
          const ParticleRange row = a.row(l, z, x);
          for (std::uint64_t i = row.begin; i < row.end; ++i) visit(Cell{l, z, x, a.y()[i]});
        }
      }
    }
  };
  std::set<Cell> ancestors;
  cells_of(access->particles(), [&](Cell c) {
    auto [l, z, x, y] = c;
    while (l > 0) {
      --l, z /= 2, x /= 2, y /= 2;
      ancestors.insert({l, z, x, y});
    }
  });
  std::set<Cell> tree;
  cells_of(access->tree(), [&](Cell c) { tree.insert(c); });
  EXPECT_EQ(tree, ancestors);
}

INSTANTIATE_TEST_SUITE_P(Sizes, RandomAccess,
                         testing::Values(std::tuple{Size3{1, 1, 1}, 0.5, true},
                                         std::tuple{Size3{1, 1, 37}, 0.7, true},
                                         std::tuple{Size3{1, 19, 1}, 0.7, false},
                                         std::tuple{Size3{1, 21, 34}, 0.7, true},
                                         std::tuple{Size3{9, 17, 33}, 0.7, false},
                                         std::tuple{Size3{17, 16, 15}, 0.6, true},
                                         std::tuple{Size3{8, 8, 8}, 1.0, true},
                                         std::tuple{Size3{8, 8, 8}, 0.0, true}));

TEST(AprAccess, FullyRefinedHasOneParticleAPixel) {
  const auto access = test::full_access({3, 4, 5});
  EXPECT_EQ(access->count(), 60U);
  EXPECT_DOUBLE_EQ(access->computational_ratio(), 1.0);
  EXPECT_EQ(access->level_min_used(), 3);
}

}  // namespace
}  // namespace aprscope
