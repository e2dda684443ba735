#include "core/apr/convert/cell_slabs.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "core/apr/convert/bit_lists.hpp"
#include "core/apr/convert/cell_lists.hpp"

namespace aprscope {
namespace {

// Bits by a rule that has no pattern along any axis.
BitGrid some_cells(const Size3& size, std::uint64_t seed) {
  BitGrid grid(size);
  std::uint64_t state = seed;
  for (std::int64_t z = 0; z < size.z; ++z) {
    for (std::int64_t x = 0; x < size.x; ++x) {
      for (std::int64_t y = 0; y < size.y; ++y) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        if (state >> 62U == 0) grid.row(z, x)[y / 64] |= std::uint64_t{1} << (y % 64);
      }
    }
  }
  return grid;
}

struct Cell {
  std::int64_t z = 0, x = 0, y = 0;
  friend bool operator==(const Cell&, const Cell&) = default;
};

// Cells of a level cell by cell: its own bits, or the children of those of the level above.
std::vector<Cell> cells_of(const LevelBits& bits, const Size3& grid, std::int64_t begin,
                           std::int64_t end) {
  std::vector<Cell> cells;
  for (std::int64_t z = begin; z < end; ++z) {
    for (std::int64_t x = 0; x < grid.x; ++x) {
      for (std::int64_t y = 0; y < grid.y; ++y) {
        const bool here =
            bits.children ? bits.cells->test(z / 2, x / 2, y / 2) : bits.cells->test(z, x, y);
        if (here) cells.push_back({z, x, y});
      }
    }
  }
  return cells;
}

constexpr Size3 kSizes[] = {{1, 1, 5}, {5, 4, 3}, {37, 21, 70}, {33, 2, 131}, {64, 16, 64}};

TEST(BitLists, AreTheCellsOfSomeSlices) {
  for (const Size3& size : kSizes) {
    const BitGrid own = some_cells(size, 3);
    const BitGrid parents = some_cells({(size.z + 1) / 2, (size.x + 1) / 2, (size.y + 1) / 2}, 4);
    for (const LevelBits& bits : {LevelBits{&own, false}, LevelBits{&parents, true}}) {
      const auto counts = count_slices(bits, size);
      ASSERT_EQ(counts.size(), static_cast<std::size_t>(size.z));
      for (std::int64_t begin = 0; begin < size.z; begin += 6) {
        const std::int64_t end = std::min(begin + 6, size.z);
        const auto lists = list_bits({{bits, size, begin, end}}, {});
        ASSERT_TRUE(lists);
        std::vector<Cell> found;
        for (std::int64_t z = begin; z < end; ++z) {
          std::uint64_t n = 0;
          for (std::int64_t x = 0; x < size.x; ++x) {
            const std::int64_t row = (z - begin) * size.x + x;
            const std::uint64_t* const ends = lists->ends.data();
            for (std::uint64_t i = ends[row]; i < ends[row + 1]; ++i) {
              found.push_back({z, x, lists->y.data()[i]});
            }
            n += ends[row + 1] - ends[row];
          }
          EXPECT_EQ(counts[static_cast<std::size_t>(z)], n);
        }
        EXPECT_EQ(found, cells_of(bits, size, begin, end));
      }
    }
  }
}

// A set that no conversion made: which cells are set does not matter to lists.
std::shared_ptr<const CellSet> some_set(const Size3& size, int level_max) {
  auto set = std::make_shared<CellSet>();
  set->cells.emplace_back();
  for (int l = 1; l < level_max; ++l) {
    set->cells.push_back(some_cells(level_grid(size, level_max, l), static_cast<std::uint64_t>(l)));
  }
  set->refined = some_cells(level_grid(size, level_max, level_max - 1), 99);
  return set;
}

// Rows and cells of slabs are those of the whole.
void expect_slabs(const CellSlabs& slabs, const LinearAccess& whole) {
  ASSERT_EQ(slabs.count(), whole.count());
  ASSERT_EQ(slabs.level_first(), whole.level_first());
  ASSERT_EQ(slabs.level_last(), whole.level_last());
  const int coarsest = std::max(slabs.level_first(), slabs.level_max() - 3);
  const std::int64_t side =
      std::max<std::int64_t>(2, std::int64_t{1} << (slabs.level_max() - coarsest));
  for (std::int64_t begin = 0; begin < slabs.size().z; begin += side) {
    const std::int64_t end = std::min(begin + side, slabs.size().z);
    const auto slab = slabs.list(coarsest, slabs.level_last(), begin, end, {});
    ASSERT_TRUE(slab);
    for (int l = coarsest; l <= slabs.level_last(); ++l) {
      EXPECT_EQ(slabs.count(l), whole.level(l).count());
      const std::uint64_t first = slabs.before(l, slab->begin(l));
      std::size_t row = 0;
      for (std::int64_t z = slab->begin(l); z < slab->end(l); ++z) {
        for (std::int64_t x = 0; x < slab->grid(l).x; ++x, ++row) {
          const ParticleRange expected = whole.row(l, z, x);
          const ParticleRange found = slab->row(l, z, x);
          ASSERT_EQ(found.count(), expected.count());
          ASSERT_EQ(first + found.begin - slab->cells(l).begin, expected.begin);
          EXPECT_EQ(slab->ends(l)[row], found.end);
          EXPECT_TRUE(std::ranges::equal(slab->y().subspan(found.begin, found.count()),
                                         whole.y().subspan(expected.begin, expected.count())));
        }
      }
    }
  }
  const auto all = slabs.whole(slabs.level_first(), slabs.level_last(), {});
  ASSERT_TRUE(all);
  EXPECT_TRUE(*all == whole);
}

TEST(CellSlabs, AreSlicesOfTheWholeLists) {
  for (const Size3& size : kSizes) {
    SCOPED_TRACE(testing::Message() << size.z << " x " << size.x << " x " << size.y);
    const int level_max = finest_level(size);
    const auto set = some_set(size, level_max);
    const auto particles = particles_of(*set, size, level_max, {});
    ASSERT_TRUE(particles);
    expect_slabs(CellSlabs::particles(set, size, level_max), *particles);
    const auto interior = interior_of(*set, size, level_max, {});
    ASSERT_TRUE(interior);
    expect_slabs(CellSlabs::interior(set, size, level_max), *interior);
  }
}

}  // namespace
}  // namespace aprscope
