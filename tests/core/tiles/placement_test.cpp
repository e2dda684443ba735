#include "core/tiles/placement.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

TileLink link(std::size_t a, std::size_t b, TilePosition way, double weight = 1.0) {
  return {a, b, way, weight};
}

void expect_near(const TilePosition& a, const TilePosition& b, double tolerance) {
  for (std::size_t d = 0; d < 3; ++d) EXPECT_NEAR(a[d], b[d], tolerance) << d;
}

TEST(PlaceTiles, LinksThatAgreeHoldExactlyAndTheMiddleStays) {
  const std::vector<TilePosition> nominal{{0, 0, 0}, {0, 0, 100}, {0, 90, 0}, {0, 90, 100}};
  const std::vector<TilePosition> truth{{0, 0, 0}, {2, -3, 95}, {1, 92, 4}, {-1, 88, 99}};
  std::vector<TileLink> links;
  for (const auto& [a, b] : {std::pair(0, 1), {0, 2}, {1, 3}, {2, 3}}) {
    TilePosition way{};
    for (std::size_t d = 0; d < 3; ++d) way[d] = truth[b][d] - truth[a][d];
    links.push_back(link(static_cast<std::size_t>(a), static_cast<std::size_t>(b), way));
  }
  const auto placed = place_tiles(nominal, links, 5.0);
  TilePosition middle{}, wanted{};
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t d = 0; d < 3; ++d) {
      middle[d] += placed[i][d] / 4.0;
      wanted[d] += nominal[i][d] / 4.0;
    }
  }
  expect_near(middle, wanted, 1e-6);
  for (const TileLink& one : links) {
    EXPECT_LT(distance_off(placed, one), 1e-5);
    EXPECT_GT(one.weight, 0.0);
  }
}

TEST(PlaceTiles, ContradictionsAreSharedOut) {
  // A triangle that does not close by 0.3 pixels: each side takes a third of it.
  std::vector<TileLink> links{link(0, 1, {0, 0, 10.0}), link(1, 2, {0, 0, 10.0}),
                              link(0, 2, {0, 0, 20.3})};
  const auto placed = place_tiles({{0, 0, 0}, {0, 0, 10}, {0, 0, 20}}, links, 5.0);
  for (const TileLink& one : links) EXPECT_NEAR(distance_off(placed, one), 0.1, 1e-3);
}

TEST(PlaceTiles, AWrongLinkIsGivenUp) {
  // A row of five with a second way around each, and one link that is 40 pixels off.
  std::vector<TilePosition> nominal;
  for (int i = 0; i < 5; ++i) nominal.push_back({0, 0, 100.0 * i});
  std::vector<TileLink> links;
  for (std::size_t i = 0; i + 1 < 5; ++i) links.push_back(link(i, i + 1, {0, 1, 98}));
  for (std::size_t i = 0; i + 2 < 5; ++i) links.push_back(link(i, i + 2, {0, 2, 196}));
  links[1].way = {0, 1, 138};
  const auto placed = place_tiles(nominal, links, 5.0);
  EXPECT_EQ(links[1].weight, 0.0);
  for (std::size_t i = 0; i < links.size(); ++i) {
    EXPECT_EQ(links[i].weight > 0.0, i != 1) << i;
  }
  for (std::size_t i = 0; i + 1 < 5; ++i) {
    EXPECT_NEAR(placed[i + 1][2] - placed[i][2], 98.0, 0.2);
    EXPECT_NEAR(placed[i + 1][1] - placed[i][1], 1.0, 0.2);
  }
}

TEST(PlaceTiles, WhatIsNotLinkedStaysWhereItIsSaidToBe) {
  std::vector<TileLink> links{link(0, 1, {0, 0, 12}), link(1, 2, {5, 5, 5}, 0.0)};
  const auto placed = place_tiles({{0, 0, 0}, {0, 0, 10}, {7, 8, 9}}, links, 3.0);
  expect_near(placed[2], {7, 8, 9}, 1e-9);
  EXPECT_NEAR(placed[1][2] - placed[0][2], 12.0, 1e-4);
  std::vector<TileLink> none;
  EXPECT_EQ(place_tiles({{1, 2, 3}}, none, 1.0), (std::vector<TilePosition>{{1, 2, 3}}));
}

}  // namespace
}  // namespace aprscope
