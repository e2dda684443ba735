// From files that say where they lie to a list that opens as one image.
#include "core/pipeline/stitching.hpp"

#include <cmath>
#include <fstream>
#include <random>

#include <gtest/gtest.h>

#include "core/io/image_source.hpp"
#include "core/io/write.hpp"
#include "core/io/zarr/zarr_write.hpp"
#include "tests/support/paths.hpp"

namespace aprscope {
namespace {

namespace fs = std::filesystem;

constexpr Size3 kTile{12, 60, 64};

// A specimen of blobs, of which tiles are pieces without noise.
std::uint16_t specimen(const Index3& p) {
  double value = 100.0;
  for (int i = 0; i < 260; ++i) {
    const auto place = [&](unsigned factor, unsigned range) {
      return static_cast<double>((static_cast<unsigned>(i + 1) * factor) % range);
    };
    const double dz = static_cast<double>(p.z) - place(2654435761U, 20U);
    const double dx = static_cast<double>(p.x) - place(40503U * 7U, 131U);
    const double dy = static_cast<double>(p.y) - place(69069U * 3U, 137U);
    const double square = dz * dz + dx * dx + dy * dy;
    if (square < 40.0) value += 700.0 * std::exp(-square / 5.0);
  }
  return static_cast<std::uint16_t>(value);
}

Volume tile_at(const Index3& at) {
  Pixels<std::uint16_t> pixels(kTile);
  for (std::int64_t z = 0; z < kTile.z; ++z) {
    for (std::int64_t x = 0; x < kTile.x; ++x) {
      for (std::int64_t y = 0; y < kTile.y; ++y) {
        pixels.values[static_cast<std::size_t>(pixels.index(z, x, y))] =
            specimen({at.z + z, at.x + x, at.y + y});
      }
    }
  }
  Volume volume;
  volume.pixels = std::move(pixels);
  volume.voxel = {2.0, 0.5, 0.5, "µm"};
  return volume;
}

const std::vector<Index3>& truth() {
  static const std::vector<Index3> places{{2, 0, 0}, {3, 2, 51}, {1, 47, 3}, {2, 49, 52}};
  return places;
}

// Tiles as TIFFs, and the list of where they were meant to be.
fs::path write_tiles(const fs::path& folder) {
  std::string list = "dim = 3\n";
  const char* const said[] = {"(0, 0, 0)", "(50, 0, 0)", "(0, 48, 0)", "(50, 48, 0)"};
  for (std::size_t i = 0; i < truth().size(); ++i) {
    const std::string name = "tile" + std::to_string(i) + ".tif";
    EXPECT_TRUE(write_tiff(tile_at(truth()[i]), folder / name).ok());
    list += name + "; ; " + said[i] + "\n";
  }
  std::ofstream(folder / "TileConfiguration.txt") << list;
  return folder / "TileConfiguration.txt";
}

TEST(Stitching, RegistersAListAndWritesOneThatIsTheImage) {
  const test::TemporaryFolder folder;
  const fs::path list = write_tiles(folder / "");
  const auto tiles = find_tiles({list.string()}, {});
  ASSERT_TRUE(tiles.ok()) << tiles.error().message();
  ASSERT_EQ(tiles->size(), 4U);
  EXPECT_EQ((*tiles)[1].position, (TilePosition{0.0, 0.0, 50.0}));
  const auto found = register_files(*tiles, {}, {.most = 10});
  ASSERT_TRUE(found.ok()) << found.error().message();
  const fs::path made = folder / "registered.txt";
  ASSERT_TRUE(save_tile_list(*tiles, found->positions, made).ok());
  const auto image = load_file(made.string());
  ASSERT_TRUE(image.ok()) << image.error().message();
  const auto& volume = std::get<Volume>(*image);
  // The whole begins at the smallest places of all; every pixel that a tile has is the specimen's.
  EXPECT_TRUE(volume.size() == (Size3{14, 109, 116}));
  const auto& pixels = std::get<Pixels<std::uint16_t>>(volume.pixels);
  std::int64_t covered = 0;
  for (std::int64_t z = 0; z < 14; ++z) {
    for (std::int64_t x = 0; x < 109; ++x) {
      for (std::int64_t y = 0; y < 116; ++y) {
        const std::uint16_t got = pixels.at(z, x, y);
        if (got == 0) continue;
        ++covered;
        ASSERT_EQ(got, specimen({z + 1, x, y})) << z << ' ' << x << ' ' << y;
      }
    }
  }
  EXPECT_GT(covered, kTile.count() * 3);
}

TEST(Stitching, FilesTellWhereTheyLie) {
  const test::TemporaryFolder folder;
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < 2; ++i) {
    Volume tile = tile_at(truth()[i]);
    const Index3& at = truth()[i];
    tile.origin = {2.0 * static_cast<double>(at.z), 0.5 * static_cast<double>(at.x),
                   0.5 * static_cast<double>(at.y)};
    paths.push_back((folder / ("t" + std::to_string(i) + ".zarr")).string());
    ASSERT_TRUE(write_image(tile, paths.back()).ok());
  }
  const auto tiles = find_tiles(paths, {});
  ASSERT_TRUE(tiles.ok()) << tiles.error().message();
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR((*tiles)[i].position[0], static_cast<double>(truth()[i].z), 1e-6);
    EXPECT_NEAR((*tiles)[i].position[1], static_cast<double>(truth()[i].x), 1e-6);
    EXPECT_NEAR((*tiles)[i].position[2], static_cast<double>(truth()[i].y), 1e-6);
  }
  // Listed as they lie, they open as one.
  std::vector<TilePosition> places{(*tiles)[0].position, (*tiles)[1].position};
  ASSERT_TRUE(save_tile_list(*tiles, places, folder / "t.txt").ok());
  const auto info = inspect((folder / "t.txt").string());
  ASSERT_TRUE(info.ok()) << info.error().message();
  EXPECT_TRUE(info->size == (Size3{13, 62, 115}));
}

TEST(Stitching, BadRequestsGetASentence) {
  const test::TemporaryFolder folder;
  const fs::path list = write_tiles(folder / "");
  const auto one = find_tiles({(folder / "tile0.tif").string()}, {});
  ASSERT_FALSE(one.ok());
  EXPECT_EQ(one.error().what, "is a single tile");
  EXPECT_FALSE(find_tiles({(folder / "gone.tif").string()}, {}).ok());
  Volume coarse = tile_at({0, 0, 0});
  coarse.voxel.x = 1.0;
  ASSERT_TRUE(write_tiff(coarse, folder / "coarse.tif").ok());
  const auto mixed =
      find_tiles({(folder / "tile0.tif").string(), (folder / "coarse.tif").string()}, {});
  ASSERT_FALSE(mixed.ok());
  EXPECT_NE(mixed.error().what.find("voxels of another size"), std::string::npos);
  Volume bytes;
  bytes.pixels = Pixels<std::uint8_t>(kTile);
  bytes.voxel = tile_at({0, 0, 0}).voxel;
  ASSERT_TRUE(write_tiff(bytes, folder / "bytes.tif").ok());
  const auto unlike =
      find_tiles({(folder / "tile0.tif").string(), (folder / "bytes.tif").string()}, {});
  ASSERT_FALSE(unlike.ok());
  EXPECT_NE(unlike.error().what.find("samples of type u8"), std::string::npos);
  const auto tiles = find_tiles({list.string()}, {});
  ASSERT_TRUE(tiles.ok());
  fs::create_directories(folder / "elsewhere");
  // Told before the tiles are read.
  EXPECT_FALSE(check_tile_list(*tiles, folder / "elsewhere" / "t.txt").ok());
  EXPECT_TRUE(check_tile_list(*tiles, folder / "t.txt").ok());
  const Status away =
      save_tile_list(*tiles, std::vector<TilePosition>(4), folder / "elsewhere" / "t.txt");
  ASSERT_FALSE(away.ok());
  EXPECT_NE(away.error().advice.find("write the list beside"), std::string::npos);
}

}  // namespace
}  // namespace aprscope
