// Landscapes whose peaks and saddles are known.
#include "core/topology/component_lives.hpp"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "core/topology/components.hpp"

namespace aprscope {
namespace {

std::vector<ComponentLife> lives_of(const Pixels<std::uint16_t>& depth, int levels,
                                    Construction construction, std::size_t most,
                                    std::vector<double> values = {}) {
  const PlaceRows<std::uint16_t> rows = [&](std::int64_t z, std::int64_t x,
                                            std::span<std::uint16_t> row) {
    for (std::size_t y = 0; y < row.size(); ++y) {
      row[y] = depth.at(z, x, static_cast<std::int64_t>(y));
    }
  };
  if (values.empty()) {
    values.resize(static_cast<std::size_t>(levels));
    std::iota(values.begin(), values.end(), 0.0);
  }
  const auto found =
      find_components<std::uint16_t>(depth.size, levels, rows, construction, {most, values});
  EXPECT_TRUE(found.ok());
  return found ? found->lives : std::vector<ComponentLife>();
}

Pixels<std::uint16_t> line(std::vector<std::uint16_t> depth) {
  Pixels<std::uint16_t> pixels({1, 1, static_cast<std::int64_t>(depth.size())});
  pixels.values = std::move(depth);
  return pixels;
}

constexpr std::uint32_t kNever = MergeTree::kNever;

TEST(ComponentLives, OfValleysEndAtTheLowerOfTheirPasses) {
  //                    0  1  2  3  4  5  6  7  8
  const auto valleys = line({9, 2, 7, 0, 5, 1, 6, 3, 9});
  const std::vector<ComponentLife> wanted{
      {0, kNever, 3, 9},  // the deepest one
      {2, 7, 1, 1},       // into the deepest one, by then with all that it took
      {1, 5, 5, 1},
      {3, 6, 7, 1},
  };
  EXPECT_EQ(lives_of(valleys, 10, Construction::vertices, 10), wanted);
  // The longest ones alone.
  EXPECT_EQ(lives_of(valleys, 10, Construction::vertices, 2),
            (std::vector<ComponentLife>{wanted[0], wanted[1]}));
}

TEST(ComponentLives, HaveTheSizeOfAllThatJoinedThemBefore) {
  // 3 joins 1 at 4, both join 0 at 8: by then with 6 and 7 beside them.
  EXPECT_EQ(lives_of(line({0, 8, 6, 1, 4, 3, 7, 9}), 10, Construction::vertices, 10),
            (std::vector<ComponentLife>{{0, kNever, 0, 8}, {1, 8, 3, 5}, {3, 4, 5, 1}}));
}

TEST(ComponentLives, OfSeveralThatMeetAtOncePartsAreNotCountedTwice) {
  EXPECT_EQ(lives_of(line({1, 5, 0, 0, 5, 2, 2, 2}), 6, Construction::vertices, 10),
            (std::vector<ComponentLife>{{0, kNever, 2, 8}, {1, 5, 0, 1}, {2, 5, 5, 3}}));
  // Among equals the first one stays.
  EXPECT_EQ(lives_of(line({3, 4, 3, 4, 3}), 5, Construction::vertices, 10),
            (std::vector<ComponentLife>{{3, kNever, 0, 5}, {3, 4, 2, 1}, {3, 4, 4, 1}}));
}

TEST(ComponentLives, ThatEndWhereTheyBeginAreNone) {
  EXPECT_EQ(lives_of(line({4, 4, 4, 4}), 5, Construction::closed_voxels, 10),
            (std::vector<ComponentLife>{{4, kNever, 0, 4}}));
  EXPECT_EQ(lives_of(line({2, 1, 1, 0}), 3, Construction::closed_voxels, 10).size(), 1U);
}

TEST(ComponentLives, GoByValuesAndNotByPlaces) {
  // Few places apart and far in value.
  const auto valleys = line({0, 3, 1, 5, 2, 4});
  const auto lives = lives_of(valleys, 6, Construction::vertices, 10, {9, 8, 7.5, 2, 1, 0.5});
  ASSERT_EQ(lives.size(), 3U);
  EXPECT_EQ(lives[1], (ComponentLife{2, 5, 4, 2}));
  EXPECT_EQ(lives[2], (ComponentLife{1, 3, 2, 1}));
}

TEST(ComponentLives, MeetAtACornerOnlyWhereVoxelsTouchThere) {
  Pixels<std::uint16_t> two({2, 2, 2}, 5);
  two.at(0, 0, 0) = 1;
  two.at(1, 1, 1) = 2;
  EXPECT_EQ(lives_of(two, 6, Construction::closed_voxels, 10).size(), 1U);
  EXPECT_EQ(lives_of(two, 6, Construction::vertices, 10),
            (std::vector<ComponentLife>{{1, kNever, 0, 8}, {2, 5, 7, 1}}));
}

TEST(ComponentLives, AreAsManyAtALevelAsThereArePieces) {
  Pixels<std::uint16_t> noise({6, 9, 11});
  std::uint32_t state = 7;
  for (auto& v : noise.values) {
    state = state * 1664525U + 1013904223U;
    v = static_cast<std::uint16_t>((state >> 16U) % 60);
  }
  for (const Construction construction : {Construction::closed_voxels, Construction::vertices}) {
    const PlaceRows<std::uint16_t> rows = [&](std::int64_t z, std::int64_t x,
                                              std::span<std::uint16_t> row) {
      for (std::size_t y = 0; y < row.size(); ++y) {
        row[y] = noise.at(z, x, static_cast<std::int64_t>(y));
      }
    };
    const std::vector<double> values(60, 0.0);
    const auto found =
        find_components<std::uint16_t>(noise.size, 60, rows, construction, {100000, values});
    ASSERT_TRUE(found.ok());
    for (std::uint32_t t = 0; t < 60; ++t) {
      const auto alive = std::count_if(
          found->lives.begin(), found->lives.end(),
          [t](const ComponentLife& life) { return life.birth <= t && t < life.death; });
      EXPECT_EQ(alive, found->pieces[t]) << t;
    }
  }
}

}  // namespace
}  // namespace aprscope
