#include "core/filter/quad_masks.hpp"

#include <random>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

// Against sets of pairs of cells, each put in one by one.
namespace aprscope::detail {
namespace {

using Pair = std::tuple<std::int64_t, std::int64_t, std::int64_t>;  // z, x, pair of cells

struct Case {
  const char* name;
  Size3 grid;
  Size3 radius;
  std::int64_t z0, z1, x0, x1, b0, b1;
};

Slab slab_of(const Case& c) {
  Slab slab;
  slab.grid = c.grid;
  slab.radius = c.radius;
  slab.wanted = whole(c.grid);
  slab.z0 = c.z0;
  slab.z1 = c.z1;
  slab.x0 = c.x0;
  slab.x1 = c.x1;
  slab.b0 = c.b0;
  slab.b1 = c.b1;
  return slab;
}

// Few rows have any, and some planes have none.
std::set<Pair> some_pairs(const Slab& slab) {
  std::mt19937 random(7);
  std::set<Pair> pairs;
  const std::int64_t first = slab.b0 * kBlock / 2;
  const std::int64_t last = std::min((slab.grid.y + 1) / 2, slab.b1 * kBlock / 2);
  for (std::int64_t z = slab.z0; z < slab.z1; ++z) {
    if (z % 5 == 3) continue;
    for (std::int64_t x = slab.x0; x < slab.x1; ++x) {
      if (random() % 4 != 0) continue;
      const auto length = static_cast<std::uint32_t>(last - first);
      for (int i = 0; i < 3; ++i) pairs.insert({z, x, first + random() % length});
    }
  }
  return pairs;
}

class QuadMasksOf : public testing::TestWithParam<Case> {};

TEST_P(QuadMasksOf, NeedWhatTheRadiusReaches) {
  const Slab slab = slab_of(GetParam());
  const std::set<Pair> active = some_pairs(slab);
  QuadMasks masks;
  masks.reserve(slab);
  masks.open(slab);
  for (const auto& [z, x, pair] : active) {
    const std::int64_t at = pair - slab.b0 * kBlock / 2;
    masks.active(z, x)[at / 64] |= std::uint64_t{1} << (at % 64);
    masks.set_active(z, x);
  }
  masks.find_needed();

  const std::int64_t begin = 64 * masks.first_word();
  const std::int64_t end = begin + 64 * masks.words();
  std::set<Pair> needed;
  const std::int64_t reach = (slab.radius.y + 1) / 2;
  for (const auto& [z, x, pair] : active) {
    for (std::int64_t dz = -slab.halo_z(); dz <= slab.halo_z(); ++dz) {
      for (std::int64_t dx = -slab.halo_x(); dx <= slab.halo_x(); ++dx) {
        if (z + dz < 0 || z + dz >= slab.quads_z() || x + dx < 0 || x + dx >= slab.quads_x()) {
          continue;
        }
        for (std::int64_t k = std::max(begin, pair - reach); k < std::min(end, pair + reach + 1);
             ++k) {
          needed.insert({z + dz, x + dx, k});
        }
      }
    }
  }

  std::set<Pair> found;
  for (std::int64_t z = slab.first_z(); z < slab.last_z(); ++z) {
    for (std::int64_t x = masks.next_needed(z, slab.first_x()); x < slab.last_x();
         x = masks.next_needed(z, x + 1)) {
      for (std::int64_t k = begin; k < end; ++k) {
        const std::int64_t at = k - begin;
        if ((masks.needed(z, x)[at / 64] >> (at % 64) & 1U) != 0) found.insert({z, x, k});
      }
    }
  }
  EXPECT_EQ(found, needed);

  std::set<std::pair<std::int64_t, std::int64_t>> rows;
  for (const auto& [z, x, pair] : active) rows.insert({z, x});
  std::set<std::pair<std::int64_t, std::int64_t>> walked;
  for (std::int64_t z = slab.z0; z < slab.z1; ++z) {
    for (std::int64_t x = masks.next_active(z, slab.x0); x < slab.x1;
         x = masks.next_active(z, x + 1)) {
      walked.insert({z, x});
    }
  }
  EXPECT_EQ(walked, rows);
}

TEST(QuadMasks, OfASlabInsideTheGridReachBeyondIt) {
  // Cells that lie outside the slab along y are in it for its neighbours only.
  const Slab slab = slab_of({"", {8, 8, 4096}, {1, 1, 1}, 0, 4, 0, 4, 64, 128});
  QuadMasks masks;
  masks.reserve(slab);
  masks.open(slab);
  EXPECT_EQ(masks.first_word(), 7);
  EXPECT_EQ(masks.words(), 10);
  const Slab row = slab_of({"", {8, 8, 512}, {1, 1, 1}, 0, 4, 0, 4, 0, 32});
  masks.open(row);
  EXPECT_EQ(masks.first_word(), 0);
  EXPECT_EQ(masks.words(), 4);
}

INSTANTIATE_TEST_SUITE_P(
    Slabs, QuadMasksOf,
    testing::Values(Case{"whole_grid", {21, 18, 300}, {1, 1, 1}, 0, 11, 0, 9, 0, 19},
                    Case{"inside", {60, 80, 4096}, {1, 1, 1}, 8, 16, 10, 26, 64, 128},
                    Case{"wide", {60, 80, 4096}, {6, 3, 20}, 8, 16, 10, 26, 64, 128},
                    Case{"over_the_edges", {20, 24, 2100}, {9, 9, 9}, 0, 10, 0, 12, 128, 132},
                    Case{"many_rows", {16, 300, 64}, {5, 31, 2}, 2, 6, 20, 120, 0, 4},
                    Case{"no_radius", {9, 9, 33}, {0, 0, 0}, 1, 5, 0, 5, 0, 3},
                    Case{"far_along_y", {6, 6, 4096}, {1, 1, 130}, 0, 3, 0, 3, 64, 128}),
    [](const auto& c) { return std::string(c.param.name); });

}  // namespace
}  // namespace aprscope::detail
