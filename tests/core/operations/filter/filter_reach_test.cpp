#include "core/operations/filter/filter_reach.hpp"

#include <gtest/gtest.h>

namespace aprscope {
namespace {

FilterPlan convolution(std::int64_t size, StencilMode mode) {
  FilterPlan plan;
  plan.stencils = {gaussian_stencil({1, 1, 1}, {size, 3, 3})};
  plan.mode = mode;
  return plan;
}

// Three cells to either side; on a level that is k coarser each is 2^k slices high.
TEST(FilterReach, SameStencilsReachFurtherOnCoarserLevels) {
  const FilterPlan plan = convolution(7, StencilMode::same);
  EXPECT_EQ(slices_reached(plan, 8, 8), 3);
  EXPECT_EQ(slices_reached(plan, 8, 7), 6);
  EXPECT_EQ(slices_reached(plan, 8, 4), 48);
}

// restrict_stencil(): max(2·ceil(3 / s) + 1, 3) cells of s slices.
TEST(FilterReach, RestrictedStencilsShrinkToOneCellAround) {
  const FilterPlan plan = convolution(7, StencilMode::restricted);
  EXPECT_EQ(slices_reached(plan, 8, 8), 3);
  EXPECT_EQ(slices_reached(plan, 8, 7), 4);
  EXPECT_EQ(slices_reached(plan, 8, 6), 4);
  EXPECT_EQ(slices_reached(plan, 8, 5), 8);
}

TEST(FilterReach, StatisticsReachOverTheirBox) {
  FilterPlan plan;
  plan.kind = FilterPlan::Kind::statistic;
  plan.statistic = LocalStatistic::median;
  plan.size = {5, 3, 3};
  EXPECT_EQ(slices_reached(plan, 6, 6), 2);
  EXPECT_EQ(slices_reached(plan, 6, 4), 8);
  plan.mode = StencilMode::restricted;
  // Five slices are three cells of two, one of four or more.
  EXPECT_EQ(slices_reached(plan, 6, 5), 2);
  EXPECT_EQ(slices_reached(plan, 6, 3), 2);
}

}  // namespace
}  // namespace aprscope
