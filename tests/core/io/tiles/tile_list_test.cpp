#include "core/io/tiles/tile_list.hpp"

#include <gtest/gtest.h>

namespace aprscope {
namespace {

// As Fiji's "Grid/Collection stitching" writes it.
constexpr const char* kFiji = R"(# Define the number of dimensions we are working on
dim = 3

# Define the image coordinates
img_1.tif; ; (0.0, 0.0, 0.0)
img 2.tif; ; (409.25, -3.5, 12.0)
)";

TEST(TileList, ReadsWhatFijiWrites) {
  ASSERT_TRUE(is_tile_list(kFiji));
  const auto tiles = parse_tile_list(kFiji);
  ASSERT_TRUE(tiles.ok()) << tiles.error().message();
  ASSERT_EQ(tiles->size(), 2U);
  EXPECT_EQ((*tiles)[1].name, "img 2.tif");
  // Its x are columns.
  EXPECT_EQ((*tiles)[1].position, (std::array<double, 3>{12.0, -3.5, 409.25}));
}

TEST(TileList, OfTwoDimensionsAndOtherHandwriting) {
  const auto tiles = parse_tile_list("dim=2\r\na.tif;0;(1,2)\r\n  b.tif ; ; ( -1e2 , 0.5 ) \r\n");
  ASSERT_TRUE(tiles.ok()) << tiles.error().message();
  EXPECT_EQ((*tiles)[0].position, (std::array<double, 3>{0.0, 2.0, 1.0}));
  EXPECT_EQ((*tiles)[1].position, (std::array<double, 3>{0.0, 0.5, -100.0}));
}

TEST(TileList, IsWrittenAsItIsRead) {
  const std::vector<ListedTile> tiles{{"a.tif", {1.25, -2.5, 3000.0}}, {"s.xml:/tile1", {0, 0, 7}}};
  const auto again = parse_tile_list(tile_list_text(tiles));
  ASSERT_TRUE(again.ok());
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    EXPECT_EQ((*again)[i].name, tiles[i].name);
    EXPECT_EQ((*again)[i].position, tiles[i].position);
  }
}

TEST(TileList, ErrorsNameTheLine) {
  const auto error = [](const char* text) {
    const auto tiles = parse_tile_list(text);
    return tiles.ok() ? std::string() : tiles.error().what;
  };
  EXPECT_EQ(error("dim = 3\n"), "lists no tiles");
  EXPECT_EQ(error("a.tif; ; (1, 2, 3)\n"), "line 1 comes before the dimension");
  EXPECT_EQ(error("dim = 4\n"), "line 1 has no dimension of 2 or 3");
  EXPECT_EQ(error("dim = 3\n\na.tif (1, 2, 3)\n"), "line 3 names no tile");
  EXPECT_EQ(error("dim = 3\n; ; (1, 2, 3)\n"), "line 2 names no file");
  EXPECT_EQ(error("dim = 3\na.tif; ; (1, 2)\n"), "line 2 has no numbers where a tile lies");
  EXPECT_EQ(error("dim = 2\na.tif; ; (1, 2, 3)\n"), "line 2 has no numbers where a tile lies");
  EXPECT_EQ(error("dim = 3\na.tif; ; (1, nan, 3)\n"), "line 2 has no numbers where a tile lies");
  EXPECT_EQ(error("dim = 3\na.tif; ; (1e30, 2, 3)\n"), "line 2 has no numbers where a tile lies");
  EXPECT_EQ(error("dim = 3\na.czi; 4; (1, 2, 3)\n"),
            "line 2 names series 4 of a file, which is not read");
}

TEST(TileList, OtherTextsAreNone) {
  EXPECT_FALSE(is_tile_list(""));
  EXPECT_FALSE(is_tile_list("# a comment\n"));
  EXPECT_FALSE(is_tile_list("dimension = 3\n"));
  EXPECT_FALSE(is_tile_list("data_\nloop_\n"));
  EXPECT_TRUE(is_tile_list("\n#\n dim = 2"));
  // Whatever order the settings have: what can be read looks like a list, too.
  EXPECT_TRUE(is_tile_list("multiseries = false\ndim = 3\n"));
  EXPECT_TRUE(parse_tile_list("multiseries = false\ndim = 3\na.tif; ; (0, 0, 0)\n").ok());
}

}  // namespace
}  // namespace aprscope
