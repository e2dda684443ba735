#include "core/apr/sample/slice.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/apr/structure/tree.hpp"
#include "core/base/system.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope {
namespace {

float pixel_of_slice(const Pixels<float>& image, Axis axis, std::int64_t index, std::int64_t row,
                     std::int64_t col) {
  switch (axis) {
    case Axis::z:
      return image.at(index, row, col);
    case Axis::x:
      return image.at(row, index, col);
    default:
      return image.at(row, col, index);
  }
}

class Slice : public testing::TestWithParam<std::tuple<Size3, double, bool>> {
 protected:
  void SetUp() override {
    const auto& [size, split, balanced] = GetParam();
    access_ = test::random_access({size, 21, split, balanced});
    values_ = test::random_values(access_->count(), 22);
  }
  std::shared_ptr<const AprAccess> access_;
  std::vector<float> values_;
};

constexpr Axis kAxes[] = {Axis::z, Axis::x, Axis::y};
constexpr ReconstructionMode kModes[] = {ReconstructionMode::constant, ReconstructionMode::smooth,
                                         ReconstructionMode::level};

TEST_P(Slice, EqualsTheReconstructionExactly) {
  const auto tree = fill_tree(*access_, values_, Reduction::mean);
  ASSERT_TRUE(tree.ok());
  for (const auto mode : kModes) {
    const auto image = reconstruct(*access_, values_, mode, whole(access_->size()));
    ASSERT_TRUE(image.ok());
    for (const Axis axis : kAxes) {
      std::int64_t rows = 0;
      std::int64_t cols = 0;
      plane_shape(access_->size(), axis, rows, cols);
      for (std::int64_t i = 0; i < plane_count(access_->size(), axis); ++i) {
        const Plane plane = slice_particles(*access_, values_, *tree, mode, axis, i);
        ASSERT_EQ(plane.rows, rows);
        ASSERT_EQ(plane.cols, cols);
        ASSERT_EQ(plane.values.size(), static_cast<std::size_t>(rows * cols));
        for (std::int64_t r = 0; r < rows; ++r) {
          for (std::int64_t c = 0; c < cols; ++c) {
            ASSERT_EQ(plane.values[static_cast<std::size_t>(r * cols + c)],
                      pixel_of_slice(*image, axis, i, r, c))
                << "mode " << static_cast<int>(mode) << " axis " << static_cast<int>(axis)
                << " slice " << i << " row " << r << " col " << c;
          }
        }
      }
    }
  }
}

TEST_P(Slice, FillsTheTreeWhenItIsNotGiven) {
  const auto tree = fill_tree(*access_, values_, Reduction::mean);
  ASSERT_TRUE(tree.ok());
  for (const Axis axis : kAxes) {
    const std::int64_t i = plane_count(access_->size(), axis) / 3;
    const auto mode = ReconstructionMode::smooth;
    const Plane given = slice_particles(*access_, values_, *tree, mode, axis, i);
    EXPECT_EQ(slice_particles(*access_, values_, mode, axis, i).values, given.values);
    EXPECT_EQ(slice_particles(*access_, values_, {}, mode, axis, i).values, given.values);
  }
}

TEST_P(Slice, IndexIsClamped) {
  const auto mode = ReconstructionMode::constant;
  for (const Axis axis : kAxes) {
    const std::int64_t n = plane_count(access_->size(), axis);
    EXPECT_EQ(slice_particles(*access_, values_, mode, axis, -5).values,
              slice_particles(*access_, values_, mode, axis, 0).values);
    EXPECT_EQ(slice_particles(*access_, values_, mode, axis, n + 5).values,
              slice_particles(*access_, values_, mode, axis, n - 1).values);
  }
}

// Each pixel of the slice belongs to the dot of its particle, and no dot is left over.
TEST_P(Slice, DotsAreTheParticlesThatTheSliceCuts) {
  const auto map = test::particle_map(*access_);
  std::vector<float> own(access_->count());  // every particle its own value: its index
  for (std::size_t i = 0; i < own.size(); ++i) own[i] = static_cast<float>(i);
  for (const Axis axis : kAxes) {
    const std::int64_t index = plane_count(access_->size(), axis) / 2;
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    plane_shape(access_->size(), axis, rows, cols);
    // Box of each particle's pixels in the slice.
    struct Box {
      std::int64_t row0, row1, col0, col1, side;
    };
    std::map<std::uint64_t, Box> boxes;
    for (std::int64_t r = 0; r < rows; ++r) {
      for (std::int64_t c = 0; c < cols; ++c) {
        const Index3 p = axis == Axis::z   ? Index3{index, r, c}
                         : axis == Axis::x ? Index3{r, index, c}
                                           : Index3{r, c, index};
        const std::uint64_t i = map.index.at(p.z, p.x, p.y);
        const std::int64_t side = std::int64_t{1}
                                  << (access_->level_max() - map.level.at(p.z, p.x, p.y));
        auto [at, fresh] = boxes.try_emplace(i, Box{r, r, c, c, side});
        at->second.row0 = std::min(at->second.row0, r);
        at->second.row1 = std::max(at->second.row1, r);
        at->second.col0 = std::min(at->second.col0, c);
        at->second.col1 = std::max(at->second.col1, c);
      }
    }
    const auto dots = slice_dots(*access_, own, axis, index, 1000000);
    ASSERT_EQ(dots.size(), boxes.size());
    for (const SliceDot& dot : dots) {
      const auto at = boxes.find(static_cast<std::uint64_t>(dot.value));
      ASSERT_NE(at, boxes.end());
      EXPECT_EQ(dot.row, 0.5F * static_cast<float>(at->second.row0 + at->second.row1));
      EXPECT_EQ(dot.col, 0.5F * static_cast<float>(at->second.col0 + at->second.col1));
      EXPECT_EQ(dot.side, static_cast<float>(at->second.side));
      boxes.erase(at);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Slice,
                         testing::Values(std::tuple{Size3{1, 1, 1}, 0.5, true},
                                         std::tuple{Size3{1, 1, 37}, 0.6, true},
                                         std::tuple{Size3{1, 29, 1}, 0.6, false},
                                         std::tuple{Size3{1, 37, 34}, 0.6, true},
                                         std::tuple{Size3{11, 20, 35}, 0.6, false},
                                         std::tuple{Size3{35, 33, 34}, 0.6, true},
                                         std::tuple{Size3{6, 5, 7}, 1.0, true},
                                         std::tuple{Size3{16, 16, 16}, 0.0, true}));

TEST(SliceDots, AreLeftOutEvenly) {
  const auto access = test::full_access({3, 40, 50});
  const auto values = test::random_values(access->count(), 1);
  for (const Axis axis : kAxes) {
    const auto all = slice_dots(*access, values, axis, 1, 1000000);
    const auto some = slice_dots(*access, values, axis, 1, 37);
    ASSERT_EQ(some.size(), 37U);
    // Positions of the kept ones in the whole list: steps differ by one at most.
    std::vector<std::ptrdiff_t> at;
    auto from = all.begin();
    for (const SliceDot& dot : some) {
      from = std::find_if(from, all.end(),
                          [&](const SliceDot& d) { return d.row == dot.row && d.col == dot.col; });
      ASSERT_NE(from, all.end());
      at.push_back(from - all.begin());
    }
    const auto even = static_cast<std::ptrdiff_t>(all.size() / 37);
    for (std::size_t i = 1; i < at.size(); ++i) {
      EXPECT_GE(at[i] - at[i - 1], even);
      EXPECT_LE(at[i] - at[i - 1], even + 1);
    }
  }
  EXPECT_TRUE(slice_dots(*access, values, Axis::z, 1, 0).empty());
}

TEST(SliceParticles, ValuesOfAnotherAprGiveAnEmptyPlane) {
  const auto access = test::random_access({.size = {8, 8, 8}});
  const std::vector<float> wrong(access->count() + 1);
  EXPECT_TRUE(
      slice_particles(*access, wrong, ReconstructionMode::constant, Axis::z, 0).values.empty());
  EXPECT_TRUE(slice_dots(*access, wrong, Axis::z, 0, 10).empty());
}

TEST(SliceParticles, SameBytesForAnyThreadCount) {
  // Planes large enough to be shared between threads.
  const std::pair<Axis, Size3> planes[] = {
      {Axis::z, {1, 1100, 1000}}, {Axis::x, {1000, 1, 1100}}, {Axis::y, {600, 700, 1}}};
  for (const auto& [axis, size] : planes) {
    const auto access = test::random_access({.size = size, .seed = 2, .split = 0.8});
    const auto values = test::random_values(access->count(), 1);
    set_thread_count(1);
    const Plane one = slice_particles(*access, values, ReconstructionMode::smooth, axis, 0);
    set_thread_count(4);
    const Plane four = slice_particles(*access, values, ReconstructionMode::smooth, axis, 0);
    set_thread_count(0);
    EXPECT_EQ(one.values, four.values);
    const auto whole_image =
        reconstruct(*access, values, ReconstructionMode::smooth, whole(access->size()));
    ASSERT_TRUE(whole_image.ok());
    EXPECT_EQ(one.values, whole_image->values);
  }
}

}  // namespace
}  // namespace aprscope
