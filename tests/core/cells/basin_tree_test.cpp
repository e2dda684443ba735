#include "core/cells/basin_tree.hpp"

#include <map>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "tests/core/cells/support/naive_flood.hpp"

namespace aprscope {
namespace {

using test::naive_h_minima;
using test::naive_minima;
using test::shuffled_image;
using test::stepped_image;

template <class T>
struct Flooded {
  Basins basins;
  BasinTree tree;

  explicit Flooded(const Pixels<T>& image, const BasinRule& rule = {}) {
    auto found = find_basins(image, rule);
    EXPECT_TRUE(found);
    basins = std::move(*found);
    auto made = basin_tree(image, basins, rule);
    EXPECT_TRUE(made);
    tree = std::move(*made);
  }
  [[nodiscard]] std::vector<std::uint32_t> regions(const RegionTable& table) const {
    std::vector<std::uint32_t> out;
    EXPECT_TRUE(look_up(basins.labels, table.region, out));
    return out;
  }
};

std::size_t distinct(const std::vector<std::uint32_t>& labels) {
  std::map<std::uint32_t, int> seen;
  for (const std::uint32_t one : labels) ++seen[one];
  return seen.size();
}

TEST(BasinTree, CutAtADepthLeavesTheMinimaOfTheHMinimaTransform) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Size3 n = seed % 2 == 0 ? Size3{5, 8, 9} : Size3{1, 20, 19};
    const Connectivity near = seed % 3 == 0 ? Connectivity::corners : Connectivity::faces;
    const auto image = stepped_image<std::uint8_t>(n, seed, 60);
    const Flooded flooded(image, {near, false, {}});
    for (const double h : {0.0, 1.0, 5.0, 12.0, 30.0, 59.0}) {
      const auto minima = naive_minima(naive_h_minima(image, h, near), n, near);
      const RegionTable cut = cut_tree(flooded.tree, h);
      EXPECT_EQ(cut.count, *std::max_element(minima.begin(), minima.end())) << seed << " " << h;
      // Each of those minima lies in a region of its own.
      const auto labels = flooded.regions(cut);
      std::map<std::uint32_t, std::uint32_t> of;
      for (std::size_t i = 0; i < minima.size(); ++i) {
        if (minima[i] == 0) continue;
        EXPECT_EQ(of.emplace(minima[i], labels[i]).first->second, labels[i]);
      }
      EXPECT_EQ(distinct(labels), cut.count);
    }
  }
}

TEST(BasinTree, DepthsAreThoseAtWhichMinimaEnd) {
  const auto image = shuffled_image<std::uint16_t>({4, 9, 9}, 4);
  const Flooded flooded(image);
  const std::vector<float> depths = basin_depths(flooded.tree);
  for (const double h : {3.0, 20.0, 90.0}) {
    const auto deeper =
        std::count_if(depths.begin() + 1, depths.end(), [&](float depth) { return depth > h; });
    EXPECT_EQ(static_cast<std::int64_t>(cut_tree(flooded.tree, h).count), deeper);
  }
}

TEST(BasinTree, PassesAreTheLowestOfAllWalls) {
  // By brute force: the lowest wall of each pair, and the smallest spanning tree of these by
  // trying each pass: it belongs there where lower ones do not join its sides.
  for (const bool bright : {false, true}) {
    const auto image = shuffled_image<std::uint16_t>({3, 10, 11}, 8);
    const BasinRule rule{Connectivity::edges, bright, {}};
    const Flooded flooded(image, rule);
    std::map<std::pair<std::uint32_t, std::uint32_t>, float> lowest;
    const auto height = [&](std::size_t i) {
      const auto v = static_cast<float>(image.values[i]);
      return bright ? -v : v;
    };
    const auto& labels = flooded.basins.labels;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      test::naive_neighbours(image.size, rule.near, i, [&](std::size_t j) {
        if (labels[i] >= labels[j]) return;
        const float h = std::max(height(i), height(j));
        auto& least = lowest.emplace(std::pair{labels[i], labels[j]}, h).first->second;
        least = std::min(least, h);
      });
    }
    std::vector<BasinPass> all;
    for (const auto& [pair, h] : lowest) all.push_back({h, pair.first, pair.second});
    std::sort(all.begin(), all.end(), [](const BasinPass& a, const BasinPass& b) {
      return std::tie(a.height, a.a, a.b) < std::tie(b.height, b.a, b.b);
    });
    std::vector<std::uint32_t> set(flooded.basins.count() + 1);
    std::iota(set.begin(), set.end(), 0U);
    std::vector<BasinPass> expected;
    for (const BasinPass& pass : all) {
      const std::uint32_t from = set[pass.b];
      const std::uint32_t to = set[pass.a];
      if (from == to) continue;
      std::replace(set.begin(), set.end(), from, to);
      expected.push_back(pass);
    }
    EXPECT_EQ(flooded.tree.passes, expected);
  }
}

TEST(BasinTree, SmoothImagesTakeTheOtherWayToTheSameTree) {
  // Few basins: neighbours are gathered at once. The same image with noise far away in it has many.
  Pixels<float> image({1, 100, 100});
  for (std::int64_t x = 0; x < 100; ++x) {
    for (std::int64_t y = 0; y < 100; ++y) {
      const std::int64_t square = (x / 25 + 1) * 10 + y / 25;
      image.at(0, x, y) = static_cast<float>(square - (x % 25 == 12 && y % 25 == 12 ? 100 : 0));
    }
  }
  const Flooded flooded(image);
  ASSERT_EQ(flooded.basins.count(), 16U);
  ASSERT_EQ(flooded.tree.passes.size(), 15U);
  EXPECT_EQ(flooded.tree.passes.front(), (BasinPass{11.0F, 1, 2}));
}

TEST(BasinTree, SmallRegionsGoOverTheirLowestPassOrWhereThereIsNoneVanish) {
  Pixels<float> image({1, 1, 12});
  constexpr float kOut = std::numeric_limits<float>::infinity();
  image.values = {0, 1, 2, 9, 1, 5, 0, 0, 0, kOut, 3, kOut};
  const Flooded flooded(image);
  // The 4th pixel is the wall between 1 and the small basin, which its pass of 5 leads away from.
  const auto all = flooded.regions(cut_tree(flooded.tree, -1.0));
  EXPECT_EQ(distinct(all), 5U);  // three basins, the island, nothing
  const auto kept = flooded.regions(without_small(flooded.tree, cut_tree(flooded.tree, -1.0), 3));
  EXPECT_EQ(kept[4], kept[8]);
  EXPECT_NE(kept[0], kept[8]);
  EXPECT_EQ(kept[10], 0U);
  EXPECT_EQ(without_small(flooded.tree, cut_tree(flooded.tree, -1.0), 3).count, 2U);
}

// For each marker the lowest possible highest pixel on a way from it to each pixel, itself
// included.
std::vector<double> least_rise(const Pixels<std::uint16_t>& image, Connectivity near,
                               const std::vector<FloodMarker>& markers, std::uint32_t number) {
  std::vector<double> rise(image.values.size(), 1e9);
  for (const FloodMarker& one : markers) {
    if (one.number == number) rise[static_cast<std::size_t>(one.pixel)] = -1.0;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < rise.size(); ++i) {
      test::naive_neighbours(image.size, near, i, [&](std::size_t j) {
        const double way = std::max(rise[j], static_cast<double>(image.values[i]));
        changed = changed || way < rise[i];
        rise[i] = std::min(rise[i], way);
      });
    }
  }
  return rise;
}

TEST(BasinTree, FromMarkersEachPixelGoesWhereWaterRisesLeast) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Size3 n = seed % 2 == 0 ? Size3{5, 8, 9} : Size3{1, 20, 19};
    const Connectivity near = seed % 2 == 0 ? Connectivity::faces : Connectivity::corners;
    const auto image = shuffled_image<std::uint16_t>(n, seed);
    const std::vector<FloodMarker> markers{{3, 2}, {100, 1}, {101, 1}, {102, 3}, {330, 4}};
    const Flooded flooded(image, {near, false, markers});
    const RegionTable table = flood_from_markers(flooded.tree);
    EXPECT_EQ(table.count, 4U);
    const auto labels = flooded.regions(table);
    std::vector<std::vector<double>> rise(1);
    for (std::uint32_t m = 1; m <= 4; ++m) rise.push_back(least_rise(image, near, markers, m));
    for (const FloodMarker& one : markers) {
      EXPECT_EQ(labels[static_cast<std::size_t>(one.pixel)], one.number);
    }
    for (std::size_t i = 0; i < labels.size(); ++i) {
      ASSERT_GT(labels[i], 0U);
      double least = 1e9;
      for (std::uint32_t m = 1; m <= 4; ++m) least = std::min(least, rise[m][i]);
      const bool marked = std::any_of(markers.begin(), markers.end(), [&](const FloodMarker& one) {
        return static_cast<std::size_t>(one.pixel) == i;
      });
      if (marked) continue;
      EXPECT_EQ(rise[labels[i]][i], least) << i;
    }
  }
}

TEST(BasinTree, WhatNoMarkerReachesHasNone) {
  constexpr float kOut = std::numeric_limits<float>::infinity();
  Pixels<float> image({1, 1, 5});
  image.values = {1, 2, kOut, 3, 4};
  const std::vector<FloodMarker> markers{{1, 1}};
  const Flooded flooded(image, {Connectivity::faces, false, markers});
  EXPECT_EQ(flooded.regions(flood_from_markers(flooded.tree)),
            (std::vector<std::uint32_t>{1, 1, 0, 0, 0}));
}

TEST(BasinTree, IsEqualForAnyNumberOfThreads) {
  const auto image = stepped_image<std::uint8_t>({4, 220, 230}, 9, 4);
  const int before = thread_count();
  std::vector<BasinPass> one;
  for (const int threads : {1, 2, 5}) {
    set_thread_count(threads);
    const Flooded flooded(image);
    if (threads == 1) one = flooded.tree.passes;
    EXPECT_EQ(flooded.tree.passes, one);
  }
  set_thread_count(before);
}

TEST(BasinTree, OfOneBasinOrNoneHasNoPasses) {
  EXPECT_TRUE(Flooded(Pixels<std::uint8_t>({1, 4, 4}, 3)).tree.passes.empty());
  EXPECT_EQ(cut_tree(Flooded(Pixels<std::uint8_t>({0, 0, 0})).tree, 0.0).count, 0U);
}

}  // namespace
}  // namespace aprscope
