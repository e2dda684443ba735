#include "core/cells/wall_merges.hpp"

#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "tests/core/cells/support/naive_flood.hpp"

namespace aprscope {
namespace {

using test::shuffled_image;

// All walls measured again from the pixels before each merge.
std::vector<WallMerge> naive_merges(const Pixels<std::uint16_t>& image,
                                    std::vector<std::uint32_t> labels, Connectivity near) {
  std::vector<WallMerge> out;
  for (;;) {
    std::map<std::uint32_t, double> floors;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<double>> walls;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const double v = image.values[i];
      auto& floor = floors.emplace(labels[i], v).first->second;
      floor = std::min(floor, v);
      test::naive_neighbours(image.size, near, i, [&](std::size_t j) {
        if (labels[i] < labels[j]) {
          walls[{labels[i], labels[j]}].push_back(std::max(v, double{1} * image.values[j]));
        }
      });
    }
    if (walls.empty()) return out;
    WallMerge weakest{1e9, 0, 0};
    for (auto& [pair, heights] : walls) {
      std::sort(heights.begin(), heights.end());
      const double high = std::max(floors[pair.first], floors[pair.second]);
      const double low = std::min(floors[pair.first], floors[pair.second]);
      const double strength =
          std::sqrt((heights.front() - high) * (heights[(heights.size() - 1) / 2] - low));
      if (strength >= weakest.strength) continue;
      const bool first_is_deeper = floors[pair.first] <= floors[pair.second];
      weakest = {strength, first_is_deeper ? pair.first : pair.second,
                 first_is_deeper ? pair.second : pair.first};
    }
    out.push_back(weakest);
    std::replace(labels.begin(), labels.end(), weakest.gone, weakest.into);
  }
}

TEST(WallMerges, AreThoseOfMeasuringAllWallsEachTime) {
  for (const Connectivity near : {Connectivity::faces, Connectivity::corners}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const auto image = shuffled_image<std::uint16_t>({3, 9, 10}, seed);
      const BasinRule rule{near, false, {}};
      const Basins basins = *find_basins(image, rule);
      const BasinTree tree = *basin_tree(image, basins, rule);
      const RegionTable regions = cut_tree(tree, 20.0);
      std::vector<std::uint32_t> labels;
      ASSERT_TRUE(look_up(basins.labels, regions.region, labels));
      const auto merges = wall_merges(image, basins, regions, rule, 1e9);
      ASSERT_TRUE(merges);
      EXPECT_EQ(*merges, naive_merges(image, labels, near));
      EXPECT_EQ(merges->size(), regions.count - 1);
      // As far as is asked for, it is the same.
      const double strongest = (*merges)[merges->size() / 2].strength;
      const auto some = wall_merges(image, basins, regions, rule, strongest);
      ASSERT_TRUE(some);
      EXPECT_TRUE(std::equal(some->begin(), some->end(), merges->begin()));
      EXPECT_EQ(cut_walls(regions, *some, strongest).region,
                cut_walls(regions, *merges, strongest).region);
    }
  }
}

TEST(WallMerges, AreTheSameUpsideDownAndForAnyNumberOfThreads) {
  const auto image = test::stepped_image<std::uint8_t>({3, 150, 160}, 3, 200);
  Pixels<std::uint8_t> turned = image;
  for (auto& v : turned.values) v = static_cast<std::uint8_t>(255 - v);
  const int before = thread_count();
  std::vector<std::vector<WallMerge>> made;
  for (const int threads : {1, 2, 5}) {
    set_thread_count(threads);
    for (const bool bright : {false, true}) {
      const BasinRule rule{Connectivity::faces, bright, {}};
      const auto& pixels = bright ? turned : image;
      const Basins basins = *find_basins(pixels, rule);
      const RegionTable regions = cut_tree(*basin_tree(pixels, basins, rule), 60.0);
      made.push_back(*wall_merges(pixels, basins, regions, rule, 1e9));
    }
  }
  set_thread_count(before);
  for (const auto& one : made) EXPECT_EQ(one, made.front());
}

TEST(WallMerges, AreCutWhereWallsAreStrongEnough) {
  const RegionTable regions{{0, 1, 2, 2, 3, 4, 0}, 4};
  const std::vector<WallMerge> merges{{2.0, 3, 4}, {5.0, 1, 3}, {4.0, 1, 2}};
  EXPECT_EQ(cut_walls(regions, merges, 1.0).region, regions.region);
  EXPECT_EQ(cut_walls(regions, merges, 2.0).region,
            (std::vector<std::uint32_t>{0, 1, 2, 2, 3, 3, 0}));
  // The last one is weaker, but comes to be only after the one before it.
  EXPECT_EQ(cut_walls(regions, merges, 4.5).count, 3U);
  EXPECT_EQ(cut_walls(regions, merges, 5.0).count, 1U);
}

}  // namespace
}  // namespace aprscope
