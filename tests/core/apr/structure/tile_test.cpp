#include "core/apr/structure/tile.hpp"

#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "core/apr/sample/reconstruction.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope {
namespace {

class Tile : public testing::TestWithParam<std::tuple<Size3, int>> {};

TEST_P(Tile, EqualsTheTiledReconstruction) {
  const Size3 size = std::get<0>(GetParam());
  const int times = std::get<1>(GetParam());
  const Apr apr = test::random_apr({.size = size, .seed = 3, .split = 0.7, .balanced = true});
  const auto tiled = tile(apr, times);
  ASSERT_TRUE(tiled.ok()) << tiled.error().message();
  const auto repeat = [&](std::int64_t n) { return n > 1 ? n * times : n; };
  const Size3 large{repeat(size.z), repeat(size.x), repeat(size.y)};
  ASSERT_EQ(tiled->access->size(), large);
  const auto small_map = test::particle_map(*apr.access);
  const auto map = test::particle_map(*tiled->access);
  const auto small_image = test::naive_reconstruct(*apr.access, apr.main_field()->to_float());
  const auto image = test::naive_reconstruct(*tiled->access, tiled->main_field()->to_float());
  const int shift = tiled->access->level_max() - apr.access->level_max();
  for (std::int64_t z = 0; z < large.z; ++z) {
    for (std::int64_t x = 0; x < large.x; ++x) {
      for (std::int64_t y = 0; y < large.y; ++y) {
        ASSERT_EQ(image.at(z, x, y), small_image.at(z % size.z, x % size.x, y % size.y));
        ASSERT_EQ(map.level.at(z, x, y),
                  small_map.level.at(z % size.z, x % size.x, y % size.y) + shift);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Tile,
                         testing::Values(std::tuple{Size3{16, 16, 16}, 2},
                                         std::tuple{Size3{8, 16, 16}, 4},
                                         std::tuple{Size3{16, 16, 16}, 1},
                                         std::tuple{Size3{1, 16, 16}, 4},
                                         std::tuple{Size3{1, 1, 32}, 4}));

TEST(Tile, RepeatsEveryFieldInItsType) {
  Apr apr = test::random_apr({.size = {8, 8, 8}});
  std::vector<double> second(apr.access->count(), 0.25);
  apr.fields.push_back(std::make_shared<const Field>(Field{"second", second}));
  apr.channel = "green";
  const auto tiled = tile(apr, 2);
  ASSERT_TRUE(tiled.ok());
  ASSERT_EQ(tiled->fields.size(), 2U);
  EXPECT_STREQ(tiled->fields[0]->dtype(), "u16");
  EXPECT_STREQ(tiled->fields[1]->dtype(), "f64");
  EXPECT_EQ(tiled->fields[1]->count(), 8 * apr.access->count());
  EXPECT_EQ(tiled->channel, "green");
}

TEST(Tile, RefusesWhatDoesNotFit) {
  EXPECT_FALSE(tile(test::random_apr({.size = {8, 8, 8}}), 3).ok());
  EXPECT_FALSE(tile(test::random_apr({.size = {8, 8, 8}}), 0).ok());
  EXPECT_FALSE(tile(test::random_apr({.size = {8, 8, 8}}), 16384).ok());
  EXPECT_FALSE(tile(test::random_apr({.size = {8, 8, 9}}), 2).ok());
  // One level of cells of side 16 cannot stand for 2 pixels in z repeated.
  EXPECT_FALSE(tile(test::random_apr({.size = {2, 32, 32}, .split = 0.0}), 2).ok());
}

}  // namespace
}  // namespace aprscope
