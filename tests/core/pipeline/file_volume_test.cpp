#include "core/pipeline/file_volume.hpp"

#include <gtest/gtest.h>

#include "core/apr/sample/reconstruction.hpp"
#include "core/apr/structure/tree.hpp"
#include "core/io/apr/apr_file.hpp"
#include "core/io/write.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope {
namespace {

TEST(VolumeOfFile, HasTheCellsOfEachLevel) {
  const test::TemporaryFolder folder;
  const Size3 size{41, 30, 37};
  const Apr apr = test::random_apr({.size = size});
  ASSERT_TRUE(write_apr(apr, folder / "a.apr", {.with_tree = true}).ok());
  const auto info = inspect_apr(folder / "a.apr");
  ASSERT_TRUE(info.ok());
  const std::vector<float> values = apr.main_field()->to_float();
  const auto tree = fill_tree(*apr.access, values, Reduction::mean);
  ASSERT_TRUE(tree.ok());
  const int finest = finest_level(size);
  for (int level = finest; level >= 2; --level) {
    const auto all = level == finest ? reconstruct(*apr.access, values,
                                                   ReconstructionMode::constant, whole(size))
                                     : reconstruct_at_level(*apr.access, values, *tree, level);
    ASSERT_TRUE(all.ok());
    const Size3 grid = level_grid(size, finest, level);
    // To the end of the grid, whose last cells lie partly behind the image.
    const Region cells{{grid.z / 3, 1, 0}, {grid.z, grid.x, std::max<std::int64_t>(1, grid.y / 2)}};
    const auto part = volume_of_file(*info, {}, level, cells);
    ASSERT_TRUE(part.ok()) << part.error().message();
    ASSERT_TRUE(*part);
    EXPECT_EQ((*part)->cells, cells);
    const Dataset& data = *(*part)->data;
    EXPECT_EQ(data.size(), cells.size());
    EXPECT_EQ(data.is_apr(), level == finest);
    for (std::int64_t z = 0; z < data.size().z; ++z) {
      const Plane plane = data.slice(ReconstructionMode::constant, Axis::z, z);
      for (std::int64_t x = 0; x < plane.rows; ++x) {
        for (std::int64_t y = 0; y < plane.cols; ++y) {
          ASSERT_EQ(plane.values[static_cast<std::size_t>(x * plane.cols + y)],
                    all->at(cells.begin.z + z, cells.begin.x + x, cells.begin.y + y))
              << level << ": " << z << ' ' << x << ' ' << y;
        }
      }
    }
  }
}

TEST(VolumeOfFile, NeedsATreeBelowTheFinestLevelAndABoxInside) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(
      write_apr(test::random_apr({.size = {16, 16, 16}}), folder / "a.apr", {.with_tree = false})
          .ok());
  const auto info = inspect_apr(folder / "a.apr");
  ASSERT_TRUE(info.ok());
  const auto coarse = volume_of_file(*info, {}, 3, whole({8, 8, 8}));
  ASSERT_TRUE(coarse.ok());
  EXPECT_FALSE(*coarse);
  const auto none = volume_of_file(*info, {}, 9, whole({8, 8, 8}));
  ASSERT_TRUE(none.ok());
  EXPECT_FALSE(*none);
  const auto fine = volume_of_file(*info, {}, 4, whole({16, 16, 16}));
  ASSERT_TRUE(fine.ok());
  EXPECT_TRUE(*fine);
  const auto outside = volume_of_file(*info, {}, 4, whole({16, 16, 17}));
  EXPECT_FALSE(outside.ok());
}

}  // namespace
}  // namespace aprscope
