#include "core/tiles/registration.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "core/tiles/overlaps.hpp"

namespace aprscope {
namespace {

// Slices of a volume in memory.
class Slices final : public SliceSource {
 public:
  explicit Slices(Pixels<std::uint16_t> pixels) : size_(pixels.size) {
    header_.pixels = std::move(pixels);
  }
  [[nodiscard]] Size3 size() const override { return size_; }
  [[nodiscard]] SampleKind kind() const override { return SampleKind::u16; }
  [[nodiscard]] const Volume& header() const override { return header_; }
  Status read(std::int64_t z, void* out, const JobContext&) override {
    const auto& all = std::get<Pixels<std::uint16_t>>(header_.pixels);
    std::copy_n(all.values.data() + all.index(z, 0, 0), size_.x * size_.y,
                static_cast<std::uint16_t*>(out));
    return {};
  }

 private:
  Size3 size_;
  Volume header_;
};

// Blobs in a large volume, of which tiles are cut; each with noise of its own.
class Specimen {
 public:
  explicit Specimen(const Size3& size) : size_(size), random_(7) {
    std::uniform_real_distribution<double> share(0.0, 1.0);
    const std::int64_t count = size.count() / 1500;
    for (std::int64_t i = 0; i < count; ++i) {
      blobs_.push_back({share(random_) * static_cast<double>(size.z),
                        share(random_) * static_cast<double>(size.x),
                        share(random_) * static_cast<double>(size.y)});
    }
  }
  std::unique_ptr<SliceSource> tile(const Index3& at, const Size3& size) {
    Pixels<std::uint16_t> out(size);
    std::normal_distribution<double> noise(100.0, 8.0);
    for (auto& v : out.values) v = static_cast<std::uint16_t>(std::max(0.0, noise(random_)));
    for (const auto& [bz, bx, by] : blobs_) {
      for (std::int64_t z = -4; z <= 4; ++z) {
        for (std::int64_t x = -4; x <= 4; ++x) {
          for (std::int64_t y = -4; y <= 4; ++y) {
            const Index3 p{std::llround(bz) + z - at.z, std::llround(bx) + x - at.x,
                           std::llround(by) + y - at.y};
            if (p.z < 0 || p.x < 0 || p.y < 0 || p.z >= size.z || p.x >= size.x || p.y >= size.y)
              continue;
            const auto square = static_cast<double>(z * z + x * x + y * y);
            out.values[static_cast<std::size_t>(out.index(p.z, p.x, p.y))] +=
                static_cast<std::uint16_t>(600.0 * std::exp(-square / 5.0));
          }
        }
      }
    }
    return std::make_unique<Slices>(std::move(out));
  }

 private:
  Size3 size_;
  std::mt19937 random_;
  std::vector<std::array<double, 3>> blobs_;
};

TEST(Registration, FindsWhereTilesLie) {
  Specimen specimen({40, 170, 190});
  const Size3 size{30, 90, 100};
  // 2 × 2 tiles that overlap by some 15 pixels, and lie off where the stage says.
  const std::vector<Index3> truth{{2, 3, 4}, {4, 5, 88}, {3, 76, 1}, {1, 79, 87}};
  const std::vector<TilePosition> said{{0, 0, 0}, {0, 0, 85}, {0, 75, 0}, {0, 75, 85}};
  std::vector<TileToPlace> tiles;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    tiles.push_back({size, said[i], [&specimen, at = truth[i], size] {
                       return Result<std::unique_ptr<SliceSource>>(specimen.tile(at, size));
                     }});
  }
  const auto found = register_tiles(tiles, {.most = 12, .least_correlation = 0.3});
  ASSERT_TRUE(found.ok()) << found.error().message();
  ASSERT_EQ(found->pairs.size(), 6U);
  for (std::size_t i = 1; i < truth.size(); ++i) {
    EXPECT_NEAR(found->positions[i][0] - found->positions[0][0],
                static_cast<double>(truth[i].z - truth[0].z), 0.35);
    EXPECT_NEAR(found->positions[i][1] - found->positions[0][1],
                static_cast<double>(truth[i].x - truth[0].x), 0.35);
    EXPECT_NEAR(found->positions[i][2] - found->positions[0][2],
                static_cast<double>(truth[i].y - truth[0].y), 0.35);
  }
  std::size_t counting = 0;
  for (const RegisteredPair& pair : found->pairs) {
    if (pair.link.weight <= 0.0) continue;
    ++counting;
    EXPECT_LT(pair.off, 0.5);
  }
  EXPECT_GE(counting, 4U);
}

TEST(Registration, SingleSlicesHaveTwoDimensions) {
  Specimen specimen({1, 200, 200});
  std::vector<TileToPlace> tiles;
  const std::vector<Index3> truth{{0, 0, 0}, {0, 4, 70}};
  const std::vector<TilePosition> said{{0, 0, 0}, {0, 0, 75}};
  for (std::size_t i = 0; i < truth.size(); ++i) {
    tiles.push_back(
        {{1, 100, 100}, said[i], [&specimen, at = truth[i]] {
           return Result<std::unique_ptr<SliceSource>>(specimen.tile(at, {1, 100, 100}));
         }});
  }
  const auto found = register_tiles(tiles, {.most = 15});
  ASSERT_TRUE(found.ok());
  EXPECT_NEAR(found->positions[1][0] - found->positions[0][0], 0.0, 1e-9);
  EXPECT_NEAR(found->positions[1][1] - found->positions[0][1], 4.0, 0.35);
  EXPECT_NEAR(found->positions[1][2] - found->positions[0][2], 70.0, 0.35);
}

TEST(Registration, WhatDoesNotOverlapOrCorrelateStays) {
  Specimen one({10, 100, 100});
  const auto tile = [&](const TilePosition& at) {
    return TileToPlace{
        {8, 40, 40}, at, [] {
          // Noise alone.
          static std::mt19937 random(3);
          Pixels<std::uint16_t> out({8, 40, 40});
          for (auto& v : out.values) v = static_cast<std::uint16_t>(random() % 200);
          return Result<std::unique_ptr<SliceSource>>(std::make_unique<Slices>(std::move(out)));
        }};
  };
  const auto found = register_tiles({tile({0, 0, 0}), tile({0, 0, 30}), tile({0, 500, 0})},
                                    {.most = 5, .least_correlation = 0.5});
  ASSERT_TRUE(found.ok());
  ASSERT_EQ(found->pairs.size(), 1U);
  EXPECT_EQ(found->pairs[0].link.weight, 0.0);
  EXPECT_NEAR(found->positions[1][2] - found->positions[0][2], 30.0, 1e-9);
  EXPECT_NEAR(found->positions[2][1], 500.0, 1e-9);
}

TEST(Registration, ErrorsOfTilesAreTold) {
  const auto broken = [] {
    return Result<std::unique_ptr<SliceSource>>(Error{"is broken", "tile.tif", "mend it"});
  };
  const TileToPlace tile{{8, 40, 40}, {0, 0, 0}, broken};
  const auto found = register_tiles({tile, tile}, {});
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().where, "tile.tif");
}

TEST(Registration, TilesThatAllLieAtOnePlaceAreRefused) {
  const std::vector<TileToPlace> tiles(1010, {{8, 40, 40}, {0, 0, 0}, {}});
  const auto found = register_tiles(tiles, {});
  ASSERT_FALSE(found.ok());
  EXPECT_NE(found.error().what.find("pairs of tiles that overlap"), std::string::npos);
}

TEST(Projector, ProjectsABoxAlongAllDimensions) {
  Pixels<std::uint16_t> pixels({4, 5, 6});
  for (std::size_t i = 0; i < pixels.values.size(); ++i) {
    pixels.values[i] = static_cast<std::uint16_t>((i * 37) % 101);
  }
  const Pixels<std::uint16_t> all = pixels;
  Slices source(std::move(pixels));
  Projector projector({4, 5, 6}, {10, 20, 30});
  const auto place = projector.add({{11, 0, 32}, {13, 23, 99}});
  ASSERT_TRUE(projector.run(source, {}).ok());
  const BoxProjections got = projector.take(place);
  EXPECT_EQ(got[0].rows, 3);
  EXPECT_EQ(got[0].cols, 4);
  EXPECT_EQ(got[0].row0, 20);
  EXPECT_EQ(got[0].col0, 32);
  EXPECT_EQ(got[1].row0, 11);
  EXPECT_EQ(got[2].cols, 3);
  const auto largest = [&](auto&& keep) {
    float most = -1.0F;
    for (std::int64_t z = 1; z < 3; ++z) {
      for (std::int64_t x = 0; x < 3; ++x) {
        for (std::int64_t y = 2; y < 6; ++y) {
          if (keep(z, x, y)) most = std::max(most, static_cast<float>(all.at(z, x, y)));
        }
      }
    }
    return most;
  };
  for (std::int64_t x = 0; x < 3; ++x) {
    for (std::int64_t y = 0; y < 4; ++y) {
      EXPECT_EQ(got[0].values[static_cast<std::size_t>(x * 4 + y)],
                largest([&](auto, auto px, auto py) { return px == x && py == y + 2; }));
    }
  }
  for (std::int64_t z = 0; z < 2; ++z) {
    for (std::int64_t y = 0; y < 4; ++y) {
      EXPECT_EQ(got[1].values[static_cast<std::size_t>(z * 4 + y)],
                largest([&](auto pz, auto, auto py) { return pz == z + 1 && py == y + 2; }));
    }
    for (std::int64_t x = 0; x < 3; ++x) {
      EXPECT_EQ(got[2].values[static_cast<std::size_t>(z * 3 + x)],
                largest([&](auto pz, auto px, auto) { return pz == z + 1 && px == x; }));
    }
  }
}

}  // namespace
}  // namespace aprscope
