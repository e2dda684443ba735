#include "core/operations/filter/level_stencils.hpp"

#include <gtest/gtest.h>

namespace aprscope {
namespace {

TEST(LevelStencils, ARestrictedBoxIsAveragedOverEachCell) {
  // Three ones in a row; of the cells of two pixels one sees 1 + 1 ÷ 2 … of them, by hand.
  Stencil row;
  row.size = {1, 1, 3};
  row.weights = {1.0, 1.0, 1.0};
  const auto levels = level_stencils(row, "restricted", false, 2);
  ASSERT_TRUE(levels.ok()) << levels.error().message();
  ASSERT_EQ(levels->size(), 3U);
  EXPECT_EQ((*levels)[2].weights, row.weights);
  ASSERT_EQ((*levels)[1].size, (Size3{1, 1, 3}));
  const std::vector<double> halves{0.5, 2.0, 0.5};
  for (std::size_t i = 0; i < 3; ++i) EXPECT_DOUBLE_EQ((*levels)[1].weights[i], halves[i]);
  const std::vector<double> quarters{0.25, 2.5, 0.25};
  for (std::size_t i = 0; i < 3; ++i) EXPECT_DOUBLE_EQ((*levels)[0].weights[i], quarters[i]);
  const auto same = level_stencils(row, "same", false, 2);
  ASSERT_TRUE(same.ok());
  EXPECT_EQ((*same)[0].weights, row.weights);
  const auto normal = level_stencils(row, "same", true, 1);
  ASSERT_TRUE(normal.ok());
  EXPECT_DOUBLE_EQ((*normal)[0].weights[0], 1.0 / 3.0);
}

TEST(LevelStencils, AnOperationSaysHow) {
  const Size3 size{1, 32, 32};
  const auto derivative = level_stencils(
      {"gradient", {{"component", std::string("y")}, {"kind", std::string("central")}}}, {}, size,
      1);
  ASSERT_TRUE(derivative.ok()) << derivative.error().message();
  ASSERT_EQ(derivative->size(), 2U);
  // Cells of two pixels are two apart.
  for (std::size_t i = 0; i < (*derivative)[1].weights.size(); ++i) {
    EXPECT_DOUBLE_EQ((*derivative)[0].weights[i], 0.5 * (*derivative)[1].weights[i]);
  }
  EXPECT_FALSE(level_stencils({"median", {}}, {}, size, 1).ok());
}

}  // namespace
}  // namespace aprscope
