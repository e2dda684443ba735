#include "core/cells/basins.hpp"

#include <limits>
#include <set>
#include <stop_token>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "tests/core/cells/support/naive_flood.hpp"

namespace aprscope {
namespace {

using test::naive_immersion;
using test::naive_minima;
using test::same_regions;
using test::shuffled_image;
using test::stepped_image;

constexpr Connectivity kNear[] = {Connectivity::faces, Connectivity::edges, Connectivity::corners};

template <class T>
Basins basins_of(const Pixels<T>& image, const BasinRule& rule = {}) {
  auto found = find_basins(image, rule);
  EXPECT_TRUE(found) << found.error().message();
  return std::move(*found);
}

template <class T>
Pixels<T> row(std::vector<T> values) {
  Pixels<T> image;
  image.size = {1, 1, static_cast<std::int64_t>(values.size())};
  image.values = std::move(values);
  return image;
}

TEST(Basins, AreThoseOfImmersionWhereValuesDiffer) {
  std::uint64_t seed = 0;
  for (const Size3& n : {Size3{7, 8, 9}, Size3{1, 17, 13}, Size3{1, 1, 60}, Size3{9, 1, 9}}) {
    for (const Connectivity near : kNear) {
      const auto image = shuffled_image<std::uint16_t>(n, ++seed);
      const Basins found = basins_of(image, {near, false, {}});
      EXPECT_TRUE(same_regions(found.labels, naive_immersion(image, near)));
    }
  }
}

TEST(Basins, AreTheSameForAllSampleTypesAndUpsideDown) {
  const Size3 n{3, 9, 9};  // 243 values
  const auto small = shuffled_image<std::uint8_t>(n, 5);
  const auto large = shuffled_image<std::uint16_t>(n, 5);
  auto real = shuffled_image<float>(n, 5);
  const Basins expected = basins_of(large);
  EXPECT_EQ(basins_of(small).labels, expected.labels);
  EXPECT_EQ(basins_of(real).labels, expected.labels);
  EXPECT_EQ(basins_of(real).floors, expected.floors);
  for (float& v : real.values) v = 1000.0F - v;
  EXPECT_EQ(basins_of(real, {Connectivity::faces, true, {}}).labels, expected.labels);
  auto turned = small;
  for (auto& v : turned.values) v = static_cast<std::uint8_t>(255 - v);
  const Basins bright = basins_of(turned, {Connectivity::faces, true, {}});
  EXPECT_EQ(bright.labels, expected.labels);
  EXPECT_EQ(bright.floors[1], expected.floors[1] - 255.0F);
}

TEST(Basins, HaveTheMinimaOfPlateausAndLeadDownhill) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Size3 n = seed % 2 == 0 ? Size3{6, 7, 8} : Size3{1, 20, 20};
    const Connectivity near = kNear[seed % 3];
    const auto image = stepped_image<std::uint8_t>(n, seed, 3 + static_cast<int>(seed % 4));
    const Basins found = basins_of(image, {near, false, {}});
    const auto minima = naive_minima(image.values, n, near);
    // One basin a minimum, and all of a minimum in one basin.
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
    std::vector<std::uint64_t> sizes(found.count() + 1, 0);
    for (std::size_t i = 0; i < minima.size(); ++i) {
      ++sizes[found.labels[i]];
      if (minima[i] == 0) continue;
      pairs.insert({minima[i], found.labels[i]});
      EXPECT_EQ(found.floors[found.labels[i]], static_cast<float>(image.values[i]));
    }
    const std::uint32_t count = *std::max_element(minima.begin(), minima.end());
    EXPECT_EQ(pairs.size(), count);
    EXPECT_EQ(found.count(), count);
    EXPECT_EQ(found.sizes, sizes);
    // Where there is a lower neighbour, one of the lowest is of the same basin.
    for (std::size_t i = 0; i < minima.size(); ++i) {
      std::uint8_t lowest = image.values[i];
      test::naive_neighbours(n, near, i,
                             [&](std::size_t j) { lowest = std::min(lowest, image.values[j]); });
      if (lowest == image.values[i]) continue;
      bool same = false;
      test::naive_neighbours(n, near, i, [&](std::size_t j) {
        same = same || (image.values[j] == lowest && found.labels[j] == found.labels[i]);
      });
      EXPECT_TRUE(same) << i;
    }
  }
}

TEST(Basins, ShareAPlateauByDistance) {
  EXPECT_EQ(basins_of(row<std::uint8_t>({0, 5, 5, 5, 5, 1})).labels,
            (std::vector<std::uint32_t>{1, 1, 1, 2, 2, 2}));
  EXPECT_EQ(basins_of(row<std::uint8_t>({1, 5, 5, 5, 5, 0})).labels,
            (std::vector<std::uint32_t>{1, 1, 1, 2, 2, 2}));
  // The way round inside the plateau counts, not the straight line.
  const Pixels<std::uint8_t> image = [] {
    Pixels<std::uint8_t> made({1, 3, 7}, 9);
    for (const std::int64_t y : {0, 1, 2, 3, 4, 5, 6}) made.at(0, 0, y) = 5;
    made.at(0, 0, 0) = 1;
    made.at(0, 0, 6) = 2;
    return made;
  }();
  const auto labels = basins_of(image).labels;
  EXPECT_EQ(labels[1], labels[2]);
  EXPECT_EQ(labels[0], labels[2]);
  EXPECT_EQ(labels[4], labels[6]);
}

TEST(Basins, LeanToNoSideWhereDistancesAreEqual) {
  // Rows of 0 5 5 5 0 that do not see each other: the middle one is as far from both.
  constexpr std::int64_t kRows = 1000;
  Pixels<std::uint8_t> image({1, 2 * kRows, 5}, 9);
  for (std::int64_t x = 0; x < kRows; ++x) {
    for (std::int64_t y = 0; y < 5; ++y) image.at(0, 2 * x, y) = y % 4 == 0 ? 0 : 5;
  }
  const Basins found = basins_of(image);
  int left = 0;
  for (std::int64_t x = 0; x < kRows; ++x) {
    const auto at = image.index(0, 2 * x, 0);
    EXPECT_EQ(found.labels[at + 1], found.labels[at]);
    EXPECT_EQ(found.labels[at + 3], found.labels[at + 4]);
    left += found.labels[at + 2] == found.labels[at] ? 1 : 0;
  }
  // 1000 throws of a coin: within 5 standard deviations.
  EXPECT_NEAR(left, 500, 80);
}

TEST(Basins, AreNumberedByTheirFirstPixels) {
  const auto image = shuffled_image<std::uint16_t>({5, 11, 13}, 3);
  const Basins found = basins_of(image);
  std::uint32_t last = 0;
  for (const std::uint32_t label : found.labels) {
    ASSERT_LE(label, last + 1);
    last = std::max(last, label);
  }
  EXPECT_EQ(last, found.count());
}

TEST(Basins, OneFlatImageIsOneBasin) {
  for (const Size3& n : {Size3{1, 1, 1}, Size3{1, 30, 30}, Size3{20, 20, 20}}) {
    const Basins found = basins_of(Pixels<std::uint16_t>(n, 7));
    EXPECT_EQ(found.count(), 1U);
    EXPECT_EQ(found.sizes[1], static_cast<std::uint64_t>(n.count()));
    EXPECT_EQ(found.floors[1], 7.0F);
  }
  EXPECT_EQ(basins_of(Pixels<std::uint8_t>({0, 0, 0})).count(), 0U);
}

TEST(Basins, WindingMinimaAreOne) {
  // A comb: its teeth meet in the last row only.
  Pixels<std::uint8_t> image({1, 40, 41}, 9);
  for (std::int64_t y = 0; y < 41; y += 2) {
    for (std::int64_t x = 0; x < 40; ++x) image.at(0, x, y) = 1;
  }
  for (std::int64_t y = 0; y < 41; ++y) image.at(0, 39, y) = 1;
  EXPECT_EQ(basins_of(image).count(), 1U);
}

TEST(Basins, LeaveOutWhatIsInfinitelyHigh) {
  constexpr float kOut = std::numeric_limits<float>::infinity();
  const Basins found = basins_of(row<float>({kOut, 1, 2, kOut, kOut, 3, kOut}));
  EXPECT_EQ(found.labels, (std::vector<std::uint32_t>{0, 1, 1, 0, 0, 2, 0}));
  EXPECT_EQ(basins_of(row<float>({kOut, kOut})).count(), 0U);
}

TEST(Basins, MarkersAreDeeperThanAllElse) {
  const std::vector<FloodMarker> markers{{1, 2}, {5, 1}, {6, 1}};
  const Basins found = basins_of(row<std::uint8_t>({0, 9, 4, 5, 5, 5, 5, 5, 0}),
                                 {Connectivity::faces, false, markers});
  // A basin each for the markers, and one for the minimum at 8, whose marker is none.
  EXPECT_EQ(found.labels, (std::vector<std::uint32_t>{1, 1, 1, 1, 2, 2, 2, 2, 3}));
  EXPECT_EQ(found.markers, (std::vector<std::uint32_t>{0, 2, 1, 0}));
}

TEST(Basins, MarkersOutsideAreAnError) {
  const auto image = row<std::uint8_t>({0, 1, 2});
  for (const std::vector<FloodMarker>& bad :
       {std::vector<FloodMarker>{{3, 1}}, std::vector<FloodMarker>{{-1, 1}},
        std::vector<FloodMarker>{{1, 1}, {0, 2}}, std::vector<FloodMarker>{{0, 0}}}) {
    EXPECT_FALSE(find_basins(image, {Connectivity::faces, false, bad}));
  }
}

TEST(Basins, AreEqualForAnyNumberOfThreads) {
  // Large enough for several pieces and several threads at a plateau's front.
  const auto image = stepped_image<std::uint8_t>({4, 220, 230}, 9, 3);
  const int before = thread_count();
  Basins one;
  for (const int threads : {1, 2, 5}) {
    set_thread_count(threads);
    Basins found = basins_of(image);
    if (threads == 1) one = found;
    EXPECT_EQ(found.labels, one.labels);
  }
  set_thread_count(before);
}

TEST(Basins, StopWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  const auto found = find_basins(Pixels<float>({4, 64, 64}), {}, JobContext(stop.get_token()));
  ASSERT_FALSE(found);
  EXPECT_TRUE(found.error().cancelled());
}

}  // namespace
}  // namespace aprscope
