// What lies at each place of a row of cells, against the particle of the pixel there.
#include "core/topology/row_lanes.hpp"

#include <gtest/gtest.h>

#include "tests/support/random_apr.hpp"

namespace aprscope {
namespace {

void expect_row(const AprAccess& access, int level, const Index3& row, std::int64_t first) {
  const Size3 grid = access.particles().grid(level);
  const std::int64_t side = std::int64_t{1} << (access.level_max() - level);
  RowLanes lanes;
  lanes.open(access, level, row.z, row.x, first);
  for (std::int64_t y = first; y <= grid.y; ++y) {
    const CellKind kind = lanes.look(access, y);
    const bool inside =
        row.z >= 0 && row.z < grid.z && row.x >= 0 && row.x < grid.x && y >= 0 && y < grid.y;
    if (!inside) {
      ASSERT_EQ(kind, CellKind::outside) << y;
      continue;
    }
    const ParticleAt found = access.find({row.z * side, row.x * side, y * side});
    if (found.level > level) {
      ASSERT_EQ(kind, CellKind::divided) << y;
    } else if (found.level == level) {
      ASSERT_EQ(kind, CellKind::particle) << y;
      ASSERT_EQ(lanes.particle(), found.index) << y;
    } else {
      ASSERT_EQ(kind, CellKind::larger) << y;
      ASSERT_EQ(lanes.larger(), found.index) << y;
    }
    // A place may be asked for again.
    ASSERT_EQ(lanes.look(access, y), kind) << y;
    if (kind != CellKind::particle) {
      ASSERT_EQ(lanes.look_beside(access, y), kind) << y;
    }
  }
}

TEST(RowLanes, FindWhatLiesAtEachPlaceFromAnyOn) {
  std::uint64_t seed = 1;
  for (const bool balanced : {true, false}) {
    for (const Size3 size :
         {Size3{9, 13, 17}, Size3{1, 20, 31}, Size3{16, 16, 16}, Size3{1, 1, 1}, Size3{1, 1, 50}}) {
      const auto access = test::random_access({size, seed++, 0.6, balanced});
      const LinearAccess& cells = access->particles();
      for (int level = cells.level_first(); level <= cells.level_last(); ++level) {
        const Size3 grid = cells.grid(level);
        for (std::int64_t z = -1; z <= grid.z; ++z) {
          for (std::int64_t x = -1; x <= grid.x; ++x) {
            for (const std::int64_t first : {std::int64_t{-1}, std::int64_t{0}, grid.y / 2}) {
              expect_row(*access, level, {z, x, 0}, first);
              if (HasFatalFailure()) return;
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace aprscope
