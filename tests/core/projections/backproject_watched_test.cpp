// Maps that are watched while they grow, kept early, or given up.
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/projections/backproject.hpp"
#include "core/projections/inserter.hpp"
#include "core/projections/shells.hpp"
#include "tests/core/projections/batched_inserter.hpp"
#include "tests/core/projections/closed_form.hpp"

namespace aprscope {
namespace {

using test::closed_form;
using test::worst_difference;

// Images in many small batches.
Result<std::unique_ptr<Inserter>> in_small_batches(const InsertionPlan& plan,
                                                   const JobContext& context) {
  return make_batched<BatchedInserter>(plan, context, 10);
}

TEST(Backproject, ShowsTheMapAsItGrows) {
  const Projections set = closed_form(20, 50, false);
  std::vector<LiveMap> seen;
  BackprojectHooks hooks;
  hooks.seconds_between = 0.0;
  hooks.live = [&](LiveMap live) { seen.push_back(std::move(live)); };
  const auto map = backproject(set, {}, hooks, {}, in_small_batches);
  ASSERT_TRUE(map.ok());
  ASSERT_FALSE(seen.empty());
  EXPECT_EQ(seen[0].done, 10);
  EXPECT_EQ(seen[0].total, 50);
  EXPECT_EQ(seen[0].side, 20);
  ASSERT_EQ(seen[0].map.size(), 8000U);
  const auto fsc = map_shell_correlation(seen[0].map, map->map, 20);
  ASSERT_TRUE(fsc.ok());
  EXPECT_GT((*fsc)[3], .8);
  // Batches change no more than rounding.
  const auto whole = backproject(set, {});
  ASSERT_TRUE(whole.ok());
  EXPECT_LT(worst_difference(map->map, whole->map), 1e-4);
}

TEST(Backproject, KeepsWhatThereIs) {
  const Projections set = closed_form(16, 50, false);
  std::stop_source keep;
  BackprojectHooks hooks;
  hooks.seconds_between = 0.0;
  hooks.keep = keep.get_token();
  hooks.live = [&](const LiveMap&) { keep.request_stop(); };
  const auto map = backproject(set, {}, hooks, {}, in_small_batches);
  ASSERT_TRUE(map.ok());
  EXPECT_TRUE(map->partial);
  EXPECT_EQ(map->images, 20);
  EXPECT_EQ(map->total, 50);
  EXPECT_EQ(map->map.size(), 4096U);
}

// Images up to the first picture, of a table whose rows are those of half 1, then those of half 2.
TEST(Backproject, WhatIsKeptOfATableSortedByHalfHasBothHalves) {
  Projections set = closed_form(16, 200, false);
  for (std::size_t i = 0; i < 200; ++i) set.table.rows[i].half = i % 2 == 0 ? 1 : 2;
  std::stable_sort(set.table.rows.begin(), set.table.rows.end(),
                   [](const Projection& a, const Projection& b) { return a.half < b.half; });
  std::stop_source keep;
  BackprojectHooks hooks;
  hooks.seconds_between = 0.0;
  hooks.keep = keep.get_token();
  hooks.live = [&](const LiveMap&) { keep.request_stop(); };
  const auto kept = backproject(set, {}, hooks, {}, in_small_batches);
  ASSERT_TRUE(kept.ok());
  ASSERT_TRUE(kept->partial);
  EXPECT_LT(kept->images, 100);
  EXPECT_TRUE(kept->notes.empty());
  ASSERT_EQ(kept->fsc.size(), 9U);
  EXPECT_GT(kept->fsc[2], .2);
  // Asked for as many, it is the same map.
  const auto again = backproject(set, {.images = kept->images}, {}, {}, in_small_batches);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->images, kept->images);
  EXPECT_FALSE(again->partial);
  EXPECT_TRUE(again->notes.empty());
  EXPECT_EQ(again->map, kept->map);
  EXPECT_EQ(again->half2, kept->half2);
}

TEST(Backproject, OneImageHasNoHalves) {
  const Projections set = closed_form(16, 20, false);
  const auto map = backproject(set, {.images = 1});
  ASSERT_TRUE(map.ok()) << map.error().message();
  EXPECT_EQ(map->images, 1);
  EXPECT_EQ(map->left_out, 19);
  EXPECT_TRUE(map->fsc.empty());
  EXPECT_TRUE(map->half1.empty());
  ASSERT_FALSE(map->notes.empty());
  EXPECT_NE(map->notes.back().find("only one half"), std::string::npos);
}

// Ended while a single image is in: its half is the map.
TEST(Backproject, KeepsAMapWhoseOtherHalfIsEmpty) {
  const auto one_by_one = [](const InsertionPlan& plan, const JobContext& context) {
    return make_batched<BatchedInserter>(plan, context, 1);
  };
  const Projections set = closed_form(16, 20, false);
  std::stop_source keep;
  keep.request_stop();
  BackprojectHooks hooks;
  hooks.keep = keep.get_token();
  const auto kept = backproject(set, {}, hooks, {}, one_by_one);
  ASSERT_TRUE(kept.ok());
  EXPECT_EQ(kept->images, 1);
  EXPECT_TRUE(kept->fsc.empty());
  EXPECT_TRUE(kept->half1.empty());
  const auto alone = backproject(set, {.halves = Halves::none, .images = 1});
  ASSERT_TRUE(alone.ok());
  EXPECT_EQ(kept->map, alone->map);
}

TEST(Backproject, CanBeCancelled) {
  std::stop_source stop;
  stop.request_stop();
  const auto map = backproject(closed_form(12, 10, false), {}, {}, JobContext(stop.get_token()));
  ASSERT_FALSE(map.ok());
  EXPECT_TRUE(map.error().cancelled());
}

}  // namespace
}  // namespace aprscope
