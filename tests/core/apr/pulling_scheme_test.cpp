#include "core/apr/pulling_scheme.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "core/apr/access.hpp"
#include "core/apr/gradient_scale.hpp"
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

Result<LinearAccess> run(const Pixels<std::uint8_t>& levels, const Size3& size, bool optimise) {
  const int level_max = finest_level(size);
  CellSet cells;
  EXPECT_TRUE(pulling_scheme(levels, size, level_max, optimise, cells, {}));
  return particles_of(cells, size, level_max, {});
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
        ASSERT_TRUE(found) << found.error().message();
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

TEST(LocalLevels, FollowTheFormula) {
  GradientScale input;
  input.image_size = {1, 1, 2048};
  const Size3 half{1, 1, 1024};
  input.gradient = Pixels<float>(half);
  input.scale = Pixels<float>(half);
  input.intensity = Pixels<float>(half, 10.0F);
  std::mt19937 random(2);
  std::uniform_real_distribution<float> exponent(-6.0F, 6.0F);
  for (std::size_t i = 0; i < 1024; ++i) {
    input.gradient.values[i] = std::exp2(exponent(random));
    input.scale.values[i] = std::exp2(exponent(random));
    if (i % 50 == 0) input.intensity.values[i] = 3.0F;
  }
  ConversionParameters p;
  p.rel_error = 0.13F;
  p.sigma_th = 0.5F;
  p.sigma_th_max = 0.1F;
  p.grad_th = 0.2F;
  p.intensity_th = 3.0F;
  p.dz = 3.0F;
  p.dx = 0.7F;
  p.dy = 2.0F;
  Pixels<std::uint8_t> levels;
  ASSERT_TRUE(local_levels(input, p, 11, levels, {}));
  for (std::size_t i = 0; i < 1024; ++i) {
    double gradient = static_cast<double>(input.gradient.values[i]);
    double sigma = static_cast<double>(input.scale.values[i]);
    if (input.intensity.values[i] <= p.intensity_th || input.gradient.values[i] < p.grad_th) {
      gradient = 0.0;
    }
    if (input.scale.values[i] < p.sigma_th) {
      sigma = input.scale.values[i] < p.sigma_th_max ? 60000.0 : 0.5;
    }
    const double exact = std::log2(2048.0 * static_cast<double>(p.dx) * gradient /
                                   (sigma * static_cast<double>(p.rel_error)));
    // Where rounding could go either way, both levels are right.
    if (std::abs(exact - std::round(exact)) < 1e-5) continue;
    const int expected =
        gradient > 0.0 ? std::clamp(static_cast<int>(std::floor(exact)), 1, 10) : 1;
    EXPECT_EQ(levels.values[i], expected) << i;
  }
}

TEST(LocalLevels, ZeroScaleIsFinestWhereThereIsAGradient) {
  GradientScale input;
  input.image_size = {1, 1, 16};
  input.gradient = Pixels<float>({1, 1, 8});
  input.scale = Pixels<float>({1, 1, 8});
  input.intensity = Pixels<float>({1, 1, 8}, 10.0F);
  input.gradient.values[3] = 1.0F;
  Pixels<std::uint8_t> levels;
  ASSERT_TRUE(local_levels(input, {}, 4, levels, {}));
  EXPECT_EQ(levels.values, (std::vector<std::uint8_t>{1, 1, 1, 3, 1, 1, 1, 1}));
}

}  // namespace
}  // namespace aprscope
