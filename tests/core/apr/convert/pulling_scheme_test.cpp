#include "core/apr/convert/pulling_scheme.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "core/apr/convert/cell_lists.hpp"
#include "core/apr/convert/gradient_scale.hpp"
#include "core/apr/convert/half_grid.hpp"
#include "core/apr/structure/access.hpp"
#include "tests/core/apr/conversion_fixtures.hpp"

namespace aprscope {
namespace {

using Cell = std::tuple<int, std::int64_t, std::int64_t, std::int64_t>;  // level, z, x, y

// Mostly coarse, with fine spots.
Pixels<std::uint8_t> random_levels(const Size3& size, int level_max, unsigned seed) {
  std::mt19937 random(seed);
  Pixels<std::uint8_t> levels(half_size(size), 1);
  const std::size_t spots = 1 + levels.values.size() / 150;
  for (std::size_t i = 0; i < spots; ++i) {
    levels.values[random() % levels.values.size()] =
        static_cast<std::uint8_t>(1 + random() % static_cast<unsigned>(level_max - 1));
  }
  return levels;
}

void for_neighbours(const Size3& grid, const Cell& c, const std::function<void(const Cell&)>& f) {
  const auto& [level, z, x, y] = c;
  for (std::int64_t nz = std::max<std::int64_t>(z - 1, 0); nz <= std::min(z + 1, grid.z - 1);
       ++nz) {
    for (std::int64_t nx = std::max<std::int64_t>(x - 1, 0); nx <= std::min(x + 1, grid.x - 1);
         ++nx) {
      for (std::int64_t ny = std::max<std::int64_t>(y - 1, 0); ny <= std::min(y + 1, grid.y - 1);
           ++ny) {
        f({level, nz, nx, ny});
      }
    }
  }
}

// The optimal valid cell set by its definition: a cell is valid when neither it nor a neighbour of
// its size holds a local level finer than it; the set is the valid cells whose parents are not.
class ByDefinition {
 public:
  ByDefinition(const Pixels<std::uint8_t>& levels, const Size3& size, int level_max)
      : levels_(levels), size_(size), level_max_(level_max) {}

  std::set<Cell> particles(bool neighbourhood_optimisation) const {
    std::set<Cell> out;
    for (int l = 1; l < level_max_; ++l) {
      const Size3 grid = level_grid(size_, level_max_, l);
      for (std::int64_t z = 0; z < grid.z; ++z) {
        for (std::int64_t x = 0; x < grid.x; ++x) {
          for (std::int64_t y = 0; y < grid.y; ++y) {
            const Cell c{l, z, x, y};
            if (!valid(c) || (l > 1 && valid({l - 1, z / 2, x / 2, y / 2}))) continue;
            bool refine = largest(c) == l;
            if (!neighbourhood_optimisation) {
              for_neighbours(grid, c, [&](const Cell& n) { refine = refine || largest(n) == l; });
            }
            if (refine) {
              add_children(c, out);
            } else {
              out.insert(c);
            }
          }
        }
      }
    }
    return out;
  }

 private:
  // Finest local level inside a cell.
  int largest(const Cell& c) const {
    const auto& [l, z, x, y] = c;
    const std::int64_t s = std::int64_t{1} << (level_max_ - 1 - l);
    int found = 0;
    for (std::int64_t hz = z * s; hz < std::min((z + 1) * s, levels_.size.z); ++hz) {
      for (std::int64_t hx = x * s; hx < std::min((x + 1) * s, levels_.size.x); ++hx) {
        for (std::int64_t hy = y * s; hy < std::min((y + 1) * s, levels_.size.y); ++hy) {
          found = std::max<int>(found, levels_.at(hz, hx, hy));
        }
      }
    }
    return found;
  }

  bool valid(const Cell& c) const {
    bool fine = true;
    for_neighbours(level_grid(size_, level_max_, std::get<0>(c)), c,
                   [&](const Cell& n) { fine = fine && largest(n) <= std::get<0>(c); });
    return fine;
  }

  void add_children(const Cell& c, std::set<Cell>& out) const {
    const auto& [l, z, x, y] = c;
    const Size3 grid = level_grid(size_, level_max_, l + 1);
    for (std::int64_t cz = 2 * z; cz < std::min(2 * z + 2, grid.z); ++cz) {
      for (std::int64_t cx = 2 * x; cx < std::min(2 * x + 2, grid.x); ++cx) {
        for (std::int64_t cy = 2 * y; cy < std::min(2 * y + 2, grid.y); ++cy) {
          out.insert({l + 1, cz, cx, cy});
        }
      }
    }
  }

  const Pixels<std::uint8_t>& levels_;
  Size3 size_;
  int level_max_;
};

LevelMap map_of(const Pixels<std::uint8_t>& levels, const Size3& size) {
  LevelMap map(size, finest_level(size));
  const Size3& half = levels.size;
  const std::int64_t padded =
      (half.y + LevelMap::kPadded - 1) / LevelMap::kPadded * LevelMap::kPadded;
  const auto row = [&](std::int64_t h, std::int64_t x) {
    std::vector<std::uint8_t> out(static_cast<std::size_t>(padded), 0);
    std::copy_n(levels.values.begin() + static_cast<std::ptrdiff_t>(levels.index(h, x, 0)), half.y,
                out.begin());
    return out;
  };
  for (std::int64_t h = 0; h < half.z; ++h) {
    for (std::int64_t x = 0; x < half.x; x += 2) {
      const auto first = row(h, x);
      const auto second = x + 1 < half.x ? row(h, x + 1) : std::vector<std::uint8_t>();
      map.add(h, x / 2, first.data(), second.empty() ? nullptr : second.data());
    }
  }
  return map;
}

CellSet pull(const Pixels<std::uint8_t>& levels, const Size3& size, bool optimise) {
  CellSet cells;
  EXPECT_TRUE(pulling_scheme(map_of(levels, size), size, finest_level(size), optimise, cells, {}));
  return cells;
}

std::optional<LinearAccess> run(const Pixels<std::uint8_t>& levels, const Size3& size,
                                bool optimise) {
  return particles_of(pull(levels, size, optimise), size, finest_level(size), {});
}

std::set<Cell> cells_of(const LinearAccess& access) {
  std::set<Cell> out;
  for (int l = access.level_first(); l <= access.level_last(); ++l) {
    for (std::int64_t z = 0; z < access.grid(l).z; ++z) {
      for (std::int64_t x = 0; x < access.grid(l).x; ++x) {
        const ParticleRange row = access.row(l, z, x);
        for (std::uint64_t i = row.begin; i < row.end; ++i) {
          out.insert({l, z, x, std::int64_t{access.y()[i]}});
        }
      }
    }
  }
  return out;
}

const std::vector<Size3> kSizes{{1, 1, 200},  {1, 37, 1}, {1, 33, 50}, {21, 1, 30}, {13, 17, 19},
                                {16, 16, 16}, {3, 3, 3},  {1, 1, 3},   {4, 2, 3},   {9, 30, 131}};

TEST(PullingScheme, GivesTheOptimalValidCellSet) {
  for (const Size3& size : kSizes) {
    for (unsigned seed = 1; seed <= 3; ++seed) {
      const auto levels = random_levels(size, finest_level(size), seed);
      const ByDefinition expected(levels, size, finest_level(size));
      for (const bool optimise : {true, false}) {
        const auto found = run(levels, size, optimise);
        ASSERT_TRUE(found);
        EXPECT_EQ(cells_of(*found), expected.particles(optimise))
            << size.z << 'x' << size.x << 'x' << size.y << " seed " << seed << ' ' << optimise;
      }
    }
  }
}

TEST(PullingScheme, CellsPartitionTheImageAndNeighboursDifferByOneLevelAtMost) {
  for (const Size3& size : kSizes) {
    const auto found = run(random_levels(size, finest_level(size), 11), size, true);
    ASSERT_TRUE(found);
    Pixels<int> level_of(size, 0);
    const int level_max = finest_level(size);
    for (const auto& [l, z, x, y] : cells_of(*found)) {
      const std::int64_t s = std::int64_t{1} << (level_max - l);
      for (std::int64_t pz = z * s; pz < std::min((z + 1) * s, size.z); ++pz) {
        for (std::int64_t px = x * s; px < std::min((x + 1) * s, size.x); ++px) {
          for (std::int64_t py = y * s; py < std::min((y + 1) * s, size.y); ++py) {
            EXPECT_EQ(level_of.at(pz, px, py), 0) << "two cells on one pixel";
            level_of.at(pz, px, py) = l;
          }
        }
      }
    }
    for (std::int64_t z = 0; z < size.z; ++z) {
      for (std::int64_t x = 0; x < size.x; ++x) {
        for (std::int64_t y = 0; y < size.y; ++y) {
          const int level = level_of.at(z, x, y);
          ASSERT_GT(level, 0) << "a pixel without a cell";
          for_neighbours(size, {0, z, x, y}, [&](const Cell& n) {
            const auto& [ignored, nz, nx, ny] = n;
            ASSERT_LE(std::abs(level_of.at(nz, nx, ny) - level), 1);
          });
        }
      }
    }
  }
}

TEST(PullingScheme, SameForAnyNumberOfThreads) {
  const Size3 size{70, 90, 150};
  const auto levels = random_levels(size, finest_level(size), 4);
  const test::Threads one(1);
  const auto expected = run(levels, size, true);
  ASSERT_TRUE(expected);
  for (const int n : {2, 7}) {
    const test::Threads threads(n);
    const auto found = run(levels, size, true);
    ASSERT_TRUE(found);
    EXPECT_TRUE(*found == *expected);
  }
}

TEST(PullingScheme, TheTreeIsThatOfTheParticles) {
  for (const Size3& size : kSizes) {
    const int level_max = finest_level(size);
    const CellSet cells = pull(random_levels(size, level_max, 7), size, true);
    const auto particles = particles_of(cells, size, level_max, {});
    const auto tree = interior_of(cells, size, level_max, {});
    ASSERT_TRUE(particles && tree);
    const auto expected = AprAccess::create(*particles);
    ASSERT_TRUE(expected) << expected.error().message();
    EXPECT_TRUE(*tree == (*expected)->tree());
  }
}

}  // namespace
}  // namespace aprscope
