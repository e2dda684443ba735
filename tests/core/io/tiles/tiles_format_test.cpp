// Tiles as one image, against sums over all tiles of each pixel.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>

#include <gtest/gtest.h>

#include "core/io/image_source.hpp"
#include "core/io/label_read.hpp"
#include "core/io/tiles/fused_slices.hpp"
#include "core/io/tiles/tile_set.hpp"
#include "core/io/write.hpp"
#include "tests/support/paths.hpp"

namespace aprscope {
namespace {

namespace fs = std::filesystem;

struct Made {
  Size3 size;
  Index3 at;
};

template <class T>
T sample(const Index3& p, std::size_t tile) {
  return static_cast<T>((p.z * 31 + p.x * 17 + p.y * 5 + static_cast<std::int64_t>(tile) * 40) %
                        250);
}

void write_list(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

template <class T>
void write_tile(const fs::path& path, const Made& made, std::size_t number,
                const VoxelSize& voxel = {2.0, 0.5, 0.5, "µm"}) {
  Pixels<T> pixels(made.size);
  for (std::int64_t z = 0; z < made.size.z; ++z) {
    for (std::int64_t x = 0; x < made.size.x; ++x) {
      for (std::int64_t y = 0; y < made.size.y; ++y) {
        pixels.values[static_cast<std::size_t>(pixels.index(z, x, y))] =
            sample<T>({z, x, y}, number);
      }
    }
  }
  Volume volume;
  volume.pixels = std::move(pixels);
  volume.voxel = voxel;
  const Status done = write_tiff(volume, path);
  ASSERT_TRUE(done.ok()) << done.error().message();
}

// A set of tiles, and where pixels of the whole come from.
template <class T>
class TileSetOf {
 public:
  TileSetOf(const fs::path& folder, std::vector<Made> tiles) : tiles_(std::move(tiles)) {
    std::string list = "dim = 3\n";
    for (std::size_t i = 0; i < tiles_.size(); ++i) {
      const std::string name = "tile" + std::to_string(i) + ".tif";
      write_tile<T>(folder / name, tiles_[i], i);
      const Index3& at = tiles_[i].at;
      list += name + "; ; (" + std::to_string(at.y) + ", " + std::to_string(at.x) + ".2, " +
              std::to_string(at.z) + ")\n";
    }
    write_list(folder / "tiles.txt", list);
  }
  // The mean with weights, and how many tiles there are at a place.
  std::pair<double, int> at(const Index3& p) const {
    double sum = 0.0, weights = 0.0, only = 0.0;
    int count = 0;
    for (std::size_t i = 0; i < tiles_.size(); ++i) {
      const auto& [size, first] = tiles_[i];
      const Index3 in{p.z - first.z, p.x - first.x, p.y - first.y};
      if (in.z < 0 || in.x < 0 || in.y < 0 || in.z >= size.z || in.x >= size.x || in.y >= size.y) {
        continue;
      }
      const double w = weight(in.z, size.z) * weight(in.x, size.x) * weight(in.y, size.y);
      only = static_cast<double>(sample<T>(in, i));
      sum += w * only;
      weights += w;
      ++count;
    }
    return {count > 1 ? sum / weights : only, count};
  }

 private:
  static double weight(std::int64_t i, std::int64_t n) {
    const std::int64_t width = std::clamp<std::int64_t>(n / 8, 1, 64);
    const auto inside = static_cast<double>(std::min(i, n - 1 - i) + 1);
    if (inside > static_cast<double>(width)) return 1.0;
    return 0.5 - 0.5 * std::cos(std::numbers::pi * inside / static_cast<double>(width + 1));
  }
  std::vector<Made> tiles_;
};

const std::vector<Made>& overlapping() {
  static const std::vector<Made> tiles{
      {{4, 20, 24}, {0, 0, 0}}, {{5, 20, 24}, {1, -3, 18}}, {{4, 18, 24}, {0, 25, 2}}};
  return tiles;
}

template <class T>
void expect_fused(double tolerance) {
  const test::TemporaryFolder folder;
  const TileSetOf<T> set(folder / "", overlapping());
  const auto info = inspect((folder / "tiles.txt").string());
  ASSERT_TRUE(info.ok()) << info.error().message();
  EXPECT_EQ(info->format_id, "tiles");
  EXPECT_TRUE(info->size == (Size3{6, 46, 42}));
  EXPECT_EQ(info->voxel.z, 2.0);
  EXPECT_EQ(info->further.size(), 3U);
  const auto data = load(*info);
  ASSERT_TRUE(data.ok()) << data.error().message();
  const auto& volume = std::get<Volume>(*data);
  const auto& pixels = std::get<Pixels<T>>(volume.pixels);
  int seams = 0, gaps = 0;
  for (std::int64_t z = 0; z < 6; ++z) {
    for (std::int64_t x = 0; x < 46; ++x) {
      for (std::int64_t y = 0; y < 42; ++y) {
        // Positions count from the first pixel of all.
        const auto [value, count] = set.at({z, x - 3, y});
        const double got = static_cast<double>(pixels.at(z, x, y));
        if (count == 1) {
          ASSERT_EQ(got, value) << z << ' ' << x << ' ' << y;
        } else {
          ASSERT_NEAR(got, value, tolerance) << z << ' ' << x << ' ' << y;
        }
        seams += count > 1 ? 1 : 0;
        gaps += count == 0 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(seams, 100);
  EXPECT_GT(gaps, 100);
  // Slice by slice they are the same, in each pass.
  auto source = open_slices(*info);
  ASSERT_TRUE(source.ok());
  std::vector<T> slice(46 * 42);
  for (int pass = 0; pass < 2; ++pass) {
    for (std::int64_t z = 0; z < 6; ++z) {
      ASSERT_TRUE((*source)->read(z, slice.data(), {}).ok());
      EXPECT_TRUE(std::equal(slice.begin(), slice.end(),
                             pixels.values.begin() + static_cast<std::ptrdiff_t>(z * 46 * 42)));
    }
  }
}

TEST(Tiles, AreFusedWhereTheyOverlap) {
  expect_fused<std::uint8_t>(0.501);
  expect_fused<std::uint16_t>(0.501);
  expect_fused<float>(1e-3);
}

TEST(Tiles, WeightsRiseFromTheEdges) {
  EXPECT_EQ(blend_weight(500, 1000), 1.0F);
  EXPECT_EQ(blend_weight(64, 1000), 1.0F);
  EXPECT_LT(blend_weight(63, 1000), 1.0F);
  for (std::int64_t i = 0; i < 63; ++i) {
    EXPECT_GT(blend_weight(i, 1000), 0.0F);
    EXPECT_LT(blend_weight(i, 1000), blend_weight(i + 1, 1000));
    EXPECT_EQ(blend_weight(i, 1000), blend_weight(999 - i, 1000));
  }
  EXPECT_GT(blend_weight(0, 1), 0.0F);
}

std::string error_of(const fs::path& path) {
  const auto info = inspect(path.string());
  return info.ok() ? std::string() : info.error().message();
}

// A tile of one value that counts how many of its kind are open.
class CountedTile final : public SliceSource {
 public:
  CountedTile(std::uint8_t value, int& open) : value_(value), open_(open) { ++open_; }
  CountedTile(const CountedTile&) = delete;
  CountedTile& operator=(const CountedTile&) = delete;
  ~CountedTile() override { --open_; }
  [[nodiscard]] Size3 size() const override { return {2, 3, 3}; }
  [[nodiscard]] SampleKind kind() const override { return SampleKind::u8; }
  [[nodiscard]] const Volume& header() const override { return header_; }
  Status read(std::int64_t, void* out, const JobContext&) override {
    std::fill_n(static_cast<std::uint8_t*>(out), 9, value_);
    return {};
  }

 private:
  std::uint8_t value_;
  int& open_;
  Volume header_;
};

TEST(Tiles, FewAreOpenHoweverManyLieSideBySide) {
  constexpr int kTiles = 150;
  int open = 0;
  int most = 0;
  TileReaders readers;
  readers.slices = [&](const SourceInfo& info,
                       const SourceSelection&) -> Result<std::unique_ptr<SliceSource>> {
    auto tile = std::make_unique<CountedTile>(static_cast<std::uint8_t>(info.particles), open);
    most = std::max(most, open);
    return std::unique_ptr<SliceSource>(std::move(tile));
  };
  TileSet set;
  set.size = {2, 3, 3 * kTiles};
  for (int i = 0; i < kTiles; ++i) {
    SourceInfo info;
    info.size = {2, 3, 3};
    info.particles = static_cast<std::uint64_t>(i + 1);
    set.tiles.push_back({info, {0, 0, 3 * i}});
  }
  const auto source = fused_slices(set, readers, {}, SampleKind::u8, {});
  std::vector<std::uint8_t> slice(static_cast<std::size_t>(9 * kTiles));
  for (std::int64_t z = 0; z < 2; ++z) {
    ASSERT_TRUE(source->read(z, slice.data(), {}).ok());
    for (int i = 0; i < kTiles; ++i) {
      EXPECT_EQ(slice[static_cast<std::size_t>(3 * i)], i + 1);
      EXPECT_EQ(slice[static_cast<std::size_t>(2 * 3 * kTiles + 3 * i + 2)], i + 1);
    }
    EXPECT_EQ(open, kMostOpenTiles);
  }
  EXPECT_LE(most, kMostOpenTiles + 1);
}

TEST(Tiles, HaveNoLabels) {
  const test::TemporaryFolder folder;
  const TileSetOf<std::uint8_t> set(folder / "", overlapping());
  const auto labels = read_labels((folder / "tiles.txt").string(), {6, 46, 42});
  ASSERT_FALSE(labels.ok());
  EXPECT_NE(labels.error().what.find("has no labels"), std::string::npos);
}

TEST(Tiles, BadListsGetASentence) {
  const test::TemporaryFolder folder;
  const Made small{{3, 8, 9}, {0, 0, 0}};
  write_tile<std::uint16_t>(folder / "a.tif", small, 0);
  write_tile<std::uint8_t>(folder / "bytes.tif", small, 0);
  write_tile<std::uint16_t>(folder / "coarse.tif", small, 0, {4.0, 1.0, 1.0, "µm"});
  const fs::path list = folder / "t.txt";
  const auto with = [&](const std::string& tile) {
    write_list(list, "dim = 3\na.tif; ; (0, 0, 0)\n" + tile);
    return error_of(list);
  };
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(with("gone.tif; ; (1, 1, 1)\n"), "needs gone.tif"));
  EXPECT_TRUE(has(with("../a.tif; ; (1, 1, 1)\n"), "outside of its folder"));
  EXPECT_TRUE(has(with("/etc/passwd; ; (1, 1, 1)\n"), "outside of its folder"));
  EXPECT_TRUE(has(with("bytes.tif; ; (1, 1, 1)\n"), "samples of type u8"));
  EXPECT_TRUE(has(with("coarse.tif; ; (1, 1, 1)\n"), "voxels of another size"));
  EXPECT_TRUE(has(with("a.tif; ; (1e8, 1e8, 1)\n"), "too far apart"));
  // Lists of lists have no end.
  EXPECT_TRUE(has(with("t.txt; ; (0, 0, 0)\n"), ""));
  write_list(folder / "inner.txt", "dim = 3\na.tif; ; (0, 0, 0)\n");
  EXPECT_TRUE(has(with("inner.txt; ; (0, 0, 0)\n"), "no image of pixels"));
  EXPECT_EQ(with("a.tif; ; (2, 2, 0)\n"), "");
}

TEST(Tiles, AListOfItselfEnds) {
  const test::TemporaryFolder folder;
  write_list(folder / "t.txt", "dim = 3\nt.txt; ; (0, 0, 0)\n");
  EXPECT_FALSE(error_of(folder / "t.txt").empty());
  write_list(folder / "t.txt", "dim = 3\nt.txt:/x; ; (0, 0, 0)\n");
  EXPECT_NE(error_of(folder / "t.txt").find("no images by name"), std::string::npos);
}

TEST(Tiles, NoColonLeadsOutOfTheFolder) {
  const test::TemporaryFolder folder;
  const Made small{{3, 8, 9}, {0, 0, 0}};
  fs::create_directories(folder / "inside" / "a:");
  write_tile<std::uint16_t>(folder / "private.tif", small, 0);
  write_tile<std::uint16_t>(folder / "inside" / "a", small, 0);
  const fs::path list = folder / "inside" / "t.txt";
  for (const char* name : {"a:/../../private.tif", "a:/b:/../../private.tif"}) {
    write_list(list, "dim = 3\n" + std::string(name) + "; ; (0, 0, 0)\n");
    EXPECT_NE(error_of(list).find("by a path with a colon"), std::string::npos) << error_of(list);
  }
}

TEST(Tiles, ATileThatChangedIsTold) {
  const test::TemporaryFolder folder;
  const TileSetOf<std::uint16_t> set(folder / "", overlapping());
  const auto info = inspect((folder / "tiles.txt").string());
  ASSERT_TRUE(info.ok());
  write_tile<std::uint16_t>(folder / "tile1.tif", {{2, 3, 4}, {0, 0, 0}}, 1);
  const auto data = load(*info);
  // The list is read anew, so that it is either one image of another size or an error.
  if (data.ok()) {
    EXPECT_FALSE(std::get<Volume>(*data).size() == info->size);
  } else {
    EXPECT_FALSE(data.error().advice.empty());
  }
}

}  // namespace
}  // namespace aprscope
