#include "core/apr/convert/structure_union.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "core/apr/convert/cell_lists.hpp"
#include "core/apr/convert/conversion.hpp"
#include "core/apr/convert/half_grid.hpp"
#include "core/apr/convert/level_map.hpp"
#include "tests/core/apr/conversion_fixtures.hpp"

namespace aprscope {
namespace {

using LevelGrid = Pixels<std::uint8_t>;

// Local levels on the half grid: mostly coarse, with fine spots.
LevelGrid spots(const Size3& size, unsigned seed) {
  std::mt19937 random(seed);
  LevelGrid out(half_size(size), 1);
  const auto highest = static_cast<unsigned>(finest_level(size) - 1);
  for (int i = 0; i < 4; ++i) {
    out.values[random() % out.values.size()] = static_cast<std::uint8_t>(1 + random() % highest);
  }
  return out;
}

CellSet cells_of(const LevelGrid& levels, const Size3& size, bool optimise) {
  LevelMap map(size, finest_level(size));
  const Size3& half = levels.size;
  const std::int64_t padded =
      (half.y + LevelMap::kPadded - 1) / LevelMap::kPadded * LevelMap::kPadded;
  std::vector<std::uint8_t> rows(static_cast<std::size_t>(2 * padded));
  for (std::int64_t h = 0; h < half.z; ++h) {
    for (std::int64_t x = 0; x < half.x; x += 2) {
      std::fill(rows.begin(), rows.end(), std::uint8_t{0});
      for (std::int64_t k = x; k < std::min(x + 2, half.x); ++k) {
        std::copy_n(levels.values.data() + levels.index(h, k, 0), half.y,
                    rows.data() + (k - x) * padded);
      }
      map.add(h, x / 2, rows.data(), x + 1 < half.x ? rows.data() + padded : nullptr);
    }
  }
  CellSet out;
  EXPECT_TRUE(pulling_scheme(std::move(map), size, finest_level(size), optimise, out, {}));
  return out;
}

std::shared_ptr<const AprAccess> access_of_cells(const CellSet& set, const Size3& size) {
  auto particles = particles_of(set, size, finest_level(size), {});
  auto tree = interior_of(set, size, finest_level(size), {});
  EXPECT_TRUE(particles && tree);
  auto access = AprAccess::create(*std::move(particles), *std::move(tree));
  EXPECT_TRUE(access) << access.error().message();
  return *access;
}

// The level of the particle at every pixel.
LevelGrid levels_of(const AprAccess& access) {
  LevelGrid out(access.size());
  const Size3& n = access.size();
  for (std::int64_t z = 0; z < n.z; ++z) {
    for (std::int64_t x = 0; x < n.x; ++x) {
      for (std::int64_t y = 0; y < n.y; ++y) {
        out.at(z, x, y) = static_cast<std::uint8_t>(access.find({z, x, y}).level);
      }
    }
  }
  return out;
}

LevelGrid larger_of(const LevelGrid& a, const LevelGrid& b) {
  LevelGrid out = a;
  for (std::size_t i = 0; i < out.values.size(); ++i) {
    out.values[i] = std::max(a.values[i], b.values[i]);
  }
  return out;
}

// Calls f for each voxel of the half grid in the 3×3×3 cells of `side` around cell (z, x, y).
template <class F>
void around(const LevelGrid& local, std::int64_t side, const Index3& cell, std::int64_t reach,
            const F& f) {
  const auto low = [&](std::int64_t c) { return std::max<std::int64_t>(0, (c - reach) * side); };
  const auto end = [&](std::int64_t c, std::int64_t n) {
    return std::min(n, (c + 1 + reach) * side);
  };
  for (std::int64_t z = low(cell.z); z < end(cell.z, local.size.z); ++z) {
    for (std::int64_t x = low(cell.x); x < end(cell.x, local.size.x); ++x) {
      for (std::int64_t y = low(cell.y); y < end(cell.y, local.size.y); ++y) f(local.at(z, x, y));
    }
  }
}

// The particle level at a pixel by the definition of the optimal valid cell set: the coarsest cell
// around it such that neither it nor a neighbour of its size has a finer local level; one finer
// where its own level is reached in it (or, not optimised, in a neighbour).
int level_by_definition(const LevelGrid& local, int level_max, const Index3& pixel, bool optimise) {
  for (int l = 1; l < level_max; ++l) {
    const std::int64_t side = std::int64_t{1} << (level_max - 1 - l);
    const Index3 cell{pixel.z / 2 / side, pixel.x / 2 / side, pixel.y / 2 / side};
    int near = 0;
    int inside = 0;
    around(local, side, cell, 1, [&](int level) { near = std::max(near, level); });
    around(local, side, cell, 0, [&](int level) { inside = std::max(inside, level); });
    if (near > l) continue;
    return (optimise ? inside : near) == l ? l + 1 : l;
  }
  return level_max;
}

TEST(StructureUnion, IsThatOfTheLargestLocalLevels) {
  for (const Size3& size : {Size3{20, 17, 37}, Size3{1, 33, 70}, Size3{5, 4, 130}}) {
    for (const bool optimise : {true, false}) {
      const LevelGrid a = spots(size, 1);
      const LevelGrid b = spots(size, 2);
      StructureUnion of_cells(size);
      StructureUnion of_lists(size);
      for (const LevelGrid* one : {&a, &b}) {
        const CellSet set = cells_of(*one, size, optimise);
        of_cells.add(set);
        ASSERT_TRUE(of_lists.add(*access_of_cells(set, size)));
      }
      const auto access = of_lists.access();
      ASSERT_TRUE(access) << access.error().message();
      // Bits and lists give the same.
      const auto other = of_cells.access();
      ASSERT_TRUE(other);
      EXPECT_TRUE((*access)->particles() == (*other)->particles());
      EXPECT_TRUE((*access)->tree() == (*other)->tree());
      const LevelGrid local = larger_of(a, b);
      const LevelGrid found = levels_of(**access);
      for (std::int64_t z = 0; z < size.z; ++z) {
        for (std::int64_t x = 0; x < size.x; ++x) {
          for (std::int64_t y = 0; y < size.y; ++y) {
            ASSERT_EQ(int{found.at(z, x, y)},
                      level_by_definition(local, finest_level(size), {z, x, y}, optimise))
                << z << " " << x << " " << y << (optimise ? "" : " not optimised");
          }
        }
      }
    }
  }
}

TEST(StructureUnion, OfConversionsIsTheFinestOfThemEverywhere) {
  const Size3 size{24, 30, 35};
  StructureUnion all(size);
  LevelGrid finest(size, 0);
  for (const unsigned seed : {3U, 4U, 5U}) {
    const auto apr = convert(test::blobs<std::uint16_t>(size, 100.0, 3000.0, seed), {});
    ASSERT_TRUE(apr);
    ASSERT_TRUE(all.add(*apr->access));
    finest = larger_of(finest, levels_of(*apr->access));
  }
  const auto access = all.access();
  ASSERT_TRUE(access);
  const LevelGrid found = levels_of(**access);
  EXPECT_EQ(found.values, finest.values);
  // Neighbours differ by a level at most.
  for (std::int64_t z = 1; z < size.z; ++z) {
    for (std::int64_t x = 1; x < size.x; ++x) {
      for (std::int64_t y = 1; y < size.y; ++y) {
        const int here = found.at(z, x, y);
        for (const int beside :
             {found.at(z - 1, x, y), found.at(z, x - 1, y), found.at(z, x, y - 1)}) {
          ASSERT_LE(std::abs(here - beside), 1);
        }
      }
    }
  }
}

TEST(StructureUnion, OfOneIsThatOne) {
  for (const Size3& size : {Size3{9, 12, 66}, Size3{2, 2, 2}, Size3{1, 1, 2}}) {
    const auto apr = convert(test::blobs<std::uint8_t>(size, 0.0, 255.0), {});
    ASSERT_TRUE(apr);
    StructureUnion one(size);
    ASSERT_TRUE(one.add(*apr->access));
    const auto access = one.access();
    ASSERT_TRUE(access) << access.error().message();
    EXPECT_TRUE((*access)->particles() == apr->access->particles());
    EXPECT_TRUE((*access)->tree() == apr->access->tree());
  }
}

TEST(StructureUnion, RefusesAnotherSizeAndStops) {
  const auto apr = convert(test::blobs<std::uint8_t>({6, 6, 6}, 0.0, 255.0), {});
  ASSERT_TRUE(apr);
  StructureUnion other({6, 6, 7});
  const Status refused = other.add(*apr->access);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().what.find("differ in size"), std::string::npos);
  std::stop_source stop;
  stop.request_stop();
  StructureUnion same({6, 6, 6});
  EXPECT_FALSE(same.add(*apr->access, JobContext(stop.get_token())));
}

}  // namespace
}  // namespace aprscope
