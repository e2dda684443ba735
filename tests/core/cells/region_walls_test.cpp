// Walls against all pairs of neighbouring pixels, and merges of walls that are known of a finer cut
// against those of walls found for the cut.
#include "core/cells/region_walls.hpp"

#include <limits>
#include <map>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "core/cells/wall_merges.hpp"
#include "tests/core/cells/support/naive_flood.hpp"

namespace aprscope {
namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;
using Heights = std::map<Pair, std::vector<float>>;

template <class T>
Heights naive_walls(const Pixels<T>& image, const std::vector<std::uint32_t>& labels,
                    const BasinRule& rule) {
  Heights out;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    test::naive_neighbours(image.size, rule.near, i, [&](std::size_t j) {
      if (labels[i] == 0 || labels[i] >= labels[j]) return;
      const auto v = static_cast<float>(image.values[i]);
      const auto w = static_cast<float>(image.values[j]);
      out[{labels[i], labels[j]}].push_back(rule.bright ? std::max(-v, -w) : std::max(v, w));
    });
  }
  for (auto& [pair, heights] : out) std::sort(heights.begin(), heights.end());
  return out;
}

Heights sorted_walls(const RegionWalls& walls) {
  Heights out;
  for (std::size_t w = 0; w < walls.walls.size(); ++w) {
    const RegionWall& one = walls.walls[w];
    std::vector<float> heights(
        walls.heights.begin() + static_cast<std::ptrdiff_t>(walls.first[w]),
        walls.heights.begin() + static_cast<std::ptrdiff_t>(walls.first[w + 1]));
    std::sort(heights.begin(), heights.end());
    EXPECT_EQ(one.lowest, heights.front());
    EXPECT_EQ(one.median, heights[(heights.size() - 1) / 2]);
    EXPECT_TRUE(out.emplace(Pair{one.a, one.b}, std::move(heights)).second) << "a wall comes twice";
  }
  return out;
}

template <class T>
void expect_walls(const Pixels<T>& image, const BasinRule& rule, double depth) {
  const Basins basins = *find_basins(image, rule);
  const RegionTable cut = cut_tree(*basin_tree(image, basins, rule), depth);
  std::vector<std::uint32_t> labels;
  ASSERT_TRUE(look_up(basins.labels, cut.region, labels));
  const Heights expected = naive_walls(image, labels, rule);
  const auto found = region_walls(image, basins, cut, rule);
  ASSERT_TRUE(found);
  EXPECT_EQ(sorted_walls(*found), expected);
}

TEST(RegionWalls, AreAllPairsOfNeighboursInTwoRegions) {
  const int before = thread_count();
  for (const int threads : {1, 3}) {
    set_thread_count(threads);
    for (const Connectivity near :
         {Connectivity::faces, Connectivity::edges, Connectivity::corners}) {
      expect_walls(test::shuffled_image<std::uint16_t>({5, 9, 11}, 3), {near, false, {}}, 20.0);
      expect_walls(test::stepped_image<std::uint8_t>({1, 40, 33}, 4, 5), {near, true, {}}, 0.0);
      // Rows that are looked at in several stretches.
      expect_walls(test::shuffled_image<float>({2, 3, 1300}, 5), {near, false, {}}, 30.0);
    }
    expect_walls(test::shuffled_image<std::uint16_t>({20, 60, 61}, 6), {}, 5000.0);
  }
  set_thread_count(before);
}

TEST(RegionWalls, AreNoneBesideWhatHasNoRegion) {
  auto image = test::shuffled_image<float>({4, 20, 21}, 8);
  for (std::size_t i = 0; i < image.values.size(); i += 3) {
    image.values[i] = std::numeric_limits<float>::infinity();
  }
  expect_walls(image, {Connectivity::corners, false, {}}, 10.0);
  expect_walls(image, {Connectivity::faces, false, {}}, 100.0);
}

template <class T>
void expect_merges_of_finer_cuts(const Pixels<T>& image, const BasinRule& rule,
                                 const std::vector<double>& depths) {
  const Basins basins = *find_basins(image, rule);
  const BasinTree tree = *basin_tree(image, basins, rule);
  for (const double finer_depth : depths) {
    const RegionTable finer = cut_tree(tree, finer_depth);
    const RegionWalls walls = *region_walls(image, basins, finer, rule);
    for (const double depth : depths) {
      const RegionTable cut = cut_tree(tree, depth);
      EXPECT_EQ(is_within(finer, cut), finer_depth <= depth || finer.region == cut.region);
      if (finer_depth > depth) continue;
      const auto expected = wall_merges(image, basins, cut, rule, 1e9);
      ASSERT_TRUE(expected);
      EXPECT_EQ(*wall_merges(walls, finer, basins, cut, 1e9), *expected)
          << finer_depth << " " << depth;
    }
  }
}

TEST(RegionWalls, OfAFinerCutGiveTheSameMerges) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    expect_merges_of_finer_cuts(test::shuffled_image<std::uint16_t>({6, 20, 21}, seed), {},
                                {0.0, 50.0, 300.0, 900.0});
    // Equal strengths, and walls of equal heights.
    expect_merges_of_finer_cuts(test::stepped_image<std::uint8_t>({6, 20, 21}, seed, 30),
                                {Connectivity::corners, seed == 2, {}}, {0.0, 2.0, 5.0, 9.0});
    expect_merges_of_finer_cuts(test::shuffled_image<float>({1, 50, 51}, seed),
                                {Connectivity::edges, true, {}}, {-1.0, 100.0, 700.0});
  }
}

}  // namespace
}  // namespace aprscope
