#include "core/io/apr/apr_box_cells.hpp"

#include <gtest/gtest.h>

#include "core/io/write.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope::test {
namespace {

// What lies in a box of a level, one cell after the other, from whole planes.
struct Listed {
  std::vector<Index3> places;
  std::vector<float> values;
};
Listed listed(const CellRows& rows, const Size3& grid, const Region& box) {
  Listed out;
  for (std::int64_t z = box.begin.z; z < box.end.z; ++z) {
    for (std::int64_t x = box.begin.x; x < box.end.x; ++x) {
      const auto row = static_cast<std::size_t>((z - rows.z0) * grid.x + x);
      const std::uint64_t start = rows.ends.front();
      for (std::uint64_t i = rows.ends[row] - start; i < rows.ends[row + 1] - start; ++i) {
        if (rows.y[i] < box.begin.y || rows.y[i] >= box.end.y) continue;
        out.places.push_back({z, x, rows.y[i]});
        out.values.push_back(rows.values[i]);
      }
    }
  }
  return out;
}

TEST(BoxCells, AreThoseOfWholePlanesInTheBox) {
  const TemporaryFolder folder;
  // Slices so large that several of the finest level are not read at once.
  const Size3 size{5, 1500, 3000};
  const Apr apr = random_apr({.size = size, .seed = 6, .split = 0.5});
  ASSERT_TRUE(write_apr(apr, folder / "a.apr").ok());
  const auto file = open_apr_file((folder / "a.apr").string());
  ASSERT_TRUE(file.ok()) << file.error().message();
  const auto opened = open_apr_group(*file, *file->groups.find(0, 0));
  ASSERT_TRUE(opened.ok()) << opened.error().message();
  const auto& header = opened->header;
  const auto cells =
      AprCells::open(opened->group, header, 1, header.level_max, "particle_intensities");
  ASSERT_TRUE(cells.ok() && cells->has_value());
  std::uint64_t found = 0;
  for (int level = 1; level <= header.level_max; ++level) {
    SCOPED_TRACE(level);
    const Size3 grid = level_grid(size, header.level_max, level);
    for (const Region& box :
         {whole(grid), Region{{0, grid.x / 3, grid.y / 2}, {grid.z, grid.x / 3 + 1, grid.y}},
          Region{{grid.z - 1, 0, 0}, {grid.z, grid.x, (grid.y + 1) / 2}}}) {
      BoxCells in_box(**cells, header, box, level);
      ASSERT_TRUE(in_box.read(opened->where, {}).ok());
      const auto planes = in_box.planes(header.coding, {});
      ASSERT_TRUE(planes.ok()) << planes.error().message();
      const auto all = (*cells)->read(level, box.begin.z, box.end.z, header.coding, {});
      ASSERT_TRUE(all.ok());
      const Listed expected = listed(*all, grid, box);
      const Listed made = listed(*planes, grid, box);
      EXPECT_EQ(made.places, expected.places);
      EXPECT_EQ(made.values, expected.values);
      // Nothing else is kept.
      EXPECT_EQ(in_box.count(), expected.places.size());
      EXPECT_EQ(planes->count(), expected.places.size());
      const CropRows rows = in_box.rows();
      EXPECT_EQ(rows.ends.size(), static_cast<std::size_t>(box.size().z * box.size().x) + 1);
      EXPECT_EQ(rows.ends.back(), in_box.count());
      found += in_box.count();
    }
  }
  EXPECT_GT(found, apr.access->count());
}

}  // namespace
}  // namespace aprscope::test
