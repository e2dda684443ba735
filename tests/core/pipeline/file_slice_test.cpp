#include "core/pipeline/file_slice.hpp"

#include <gtest/gtest.h>

#include "core/apr/sample/reconstruction.hpp"
#include "core/apr/structure/tree.hpp"
#include "core/image/plane_axes.hpp"
#include "core/io/apr/apr_file.hpp"
#include "core/io/write.hpp"
#include "core/pipeline/file_execution.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope {
namespace {

// The values of a level at a row and column of the slice that `first` begins in.
float level_value(const Pixels<float>& image, Axis axis, const Index3& first, std::int64_t row,
                  std::int64_t col) {
  switch (axis) {
    case Axis::x:
      return image.at(first.z + row, first.x, first.y + col);
    case Axis::y:
      return image.at(first.z + row, first.x + col, first.y);
    case Axis::z:
      break;
  }
  return image.at(first.z, first.x + row, first.y + col);
}

TEST(SliceOfFile, IsThatOfTheLevelInAllOrientations) {
  const test::TemporaryFolder folder;
  // Long enough along z that it is read in several parts.
  const Size3 size{130, 30, 37};
  const Apr apr = test::random_apr({.size = size});
  ASSERT_TRUE(write_apr(apr, folder / "a.apr", {.with_tree = true}).ok());
  const auto info = inspect_apr(folder / "a.apr");
  ASSERT_TRUE(info.ok());
  const std::vector<float> values = apr.main_field()->to_float();
  const auto tree = fill_tree(*apr.access, values, Reduction::mean);
  ASSERT_TRUE(tree.ok());
  const int finest = finest_level(size);
  const Region box{{5, 11, 9}, {121, 30, 35}};
  for (int level = finest; level >= 2; --level) {
    const int shift = finest - level;
    const auto whole_level =
        level == finest
            ? reconstruct(*apr.access, values, ReconstructionMode::constant, whole(size))
            : reconstruct_at_level(*apr.access, values, *tree, level);
    ASSERT_TRUE(whole_level.ok());
    for (const Axis axis : {Axis::z, Axis::x, Axis::y}) {
      const auto slice = slice_of_file(*info, {}, level, axis, box);
      ASSERT_TRUE(slice.ok()) << slice.error().message();
      ASSERT_TRUE(*slice);
      const Plane& plane = (*slice)->plane;
      const Region& cells = (*slice)->box;
      // Whole cells that hold the box, one of them across the slice.
      const Size3 extent = cells.size();
      EXPECT_EQ(cells.begin.z, 5 >> shift << shift);
      EXPECT_EQ(cells.begin.x, 11 >> shift << shift);
      EXPECT_EQ(cells.begin.y, 9 >> shift << shift);
      const std::int64_t side = std::int64_t{1} << shift;
      EXPECT_EQ(axis == Axis::z ? extent.z : axis == Axis::x ? extent.x : extent.y, side);
      EXPECT_EQ(plane.rows * side, axis == Axis::z ? extent.x : extent.z);
      EXPECT_EQ(plane.cols * side, axis == Axis::y ? extent.x : extent.y);
      EXPECT_GE(cells.end.y, axis == Axis::y ? box.begin.y + 1 : box.end.y);
      const Index3 first{cells.begin.z >> shift, cells.begin.x >> shift, cells.begin.y >> shift};
      for (std::int64_t row = 0; row < plane.rows; ++row) {
        for (std::int64_t col = 0; col < plane.cols; ++col) {
          ASSERT_EQ(plane.values[static_cast<std::size_t>(row * plane.cols + col)],
                    level_value(*whole_level, axis, first, row, col))
              << level << ' ' << row << ' ' << col;
        }
      }
    }
  }
}

TEST(SlicesOfFile, AreThoseOfEachSlice) {
  const test::TemporaryFolder folder;
  const Size3 size{70, 30, 37};
  ASSERT_TRUE(
      write_apr(test::random_apr({.size = size}), folder / "a.apr", {.with_tree = true}).ok());
  const auto info = inspect_apr(folder / "a.apr");
  ASSERT_TRUE(info.ok());
  const int finest = finest_level(size);
  const Region box{{5, 11, 9}, {66, 30, 37}};
  for (const int level : {finest, finest - 2}) {
    const int shift = finest - level;
    const auto slices = slices_of_file(*info, {}, level, box);
    ASSERT_TRUE(slices.ok() && *slices);
    for (const Axis axis : {Axis::z, Axis::x, Axis::y}) {
      int found = 0;
      for (std::int64_t number = 0; number <= 80 >> shift; ++number) {
        const auto slice = slice_of(**slices, axis, number);
        Region thin = box;
        component(thin.begin, axis) = number << shift;
        const bool inside = component(box.begin, axis) >> shift <= number &&
                            number <= (component(box.end, axis) - 1) >> shift;
        ASSERT_EQ(slice.has_value(), inside) << number;
        if (!inside) continue;
        ++found;
        const auto alone = slice_of_file(*info, {}, level, axis, thin);
        ASSERT_TRUE(alone.ok() && *alone);
        EXPECT_EQ(slice->box, (*alone)->box);
        EXPECT_EQ(slice->plane.values, (*alone)->plane.values);
      }
      EXPECT_GT(found, 4);
    }
  }
}

TEST(SliceOfFile, NeedsATreeBelowTheFinestLevelAlone) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(
      write_apr(test::random_apr({.size = {16, 16, 16}}), folder / "a.apr", {.with_tree = false})
          .ok());
  const auto info = inspect_apr(folder / "a.apr");
  ASSERT_TRUE(info.ok());
  const Region box{{0, 0, 0}, {16, 16, 16}};
  const auto finest = slice_of_file(*info, {}, 4, Axis::z, box);
  ASSERT_TRUE(finest.ok());
  EXPECT_TRUE(*finest);
  const auto coarser = slice_of_file(*info, {}, 3, Axis::z, box);
  ASSERT_TRUE(coarser.ok());
  EXPECT_FALSE(*coarser);
  const auto outside = slice_of_file(*info, {}, 4, Axis::z, {{3, 0, 0}, {4, 17, 16}});
  EXPECT_FALSE(outside.ok());
}

TEST(ParticlesFit, ByTheHeadersOfTheirFile) {
  const test::TemporaryFolder folder;
  const Apr apr = test::random_apr({.size = {16, 16, 16}});
  ASSERT_TRUE(write_apr(apr, folder / "a.apr").ok());
  const auto info = inspect_apr(folder / "a.apr");
  ASSERT_TRUE(info.ok());
  // y, u16 values, the rows of the levels; f32 and tree.
  const std::uint64_t bytes = apr.access->count() * 12 + row_entries({16, 16, 16}, 4, 1, 4) * 8;
  EXPECT_TRUE(particles_fit(*info, {}, bytes));
  EXPECT_FALSE(particles_fit(*info, {}, bytes - 1));
  EXPECT_FALSE(particles_fit(*info, {3, 0}, bytes));
}

}  // namespace
}  // namespace aprscope
