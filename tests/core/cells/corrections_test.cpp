// Corrections against what they mean, pixel by pixel.
#include "core/cells/corrections.hpp"

#include <random>

#include <gtest/gtest.h>

#include "tests/core/cells/correction_cases.hpp"

namespace aprscope {
namespace {

using test::boxes;
using test::count;
using test::flat_signal;
using test::kCorrectedVoxel;
using test::labels_of;
using test::made;
using test::painted;
using test::refusal;

TEST(Corrections, MergeGivesTheLabelAtTheFirstPoint) {
  const auto p = boxes();
  const auto got = made(p, {CorrectionAction::merge, {{2, 4, 10}, {2, 4, 4}}});
  ASSERT_TRUE(got.ok()) << got.error().message();
  EXPECT_EQ(count(got->labels, 3), 0);
  EXPECT_EQ(count(got->labels, 8), 5 * 8 * 13 - 1);
  EXPECT_NE(refusal(p, {CorrectionAction::merge, {{2, 4, 10}, {2, 5, 10}}}).find("one cell"),
            std::string::npos);
  EXPECT_NE(refusal(p, {CorrectionAction::merge, {{2, 4, 10}, {0, 0, 0}}}).find("background"),
            std::string::npos);
}

TEST(Corrections, SplitFollowsTheWallAndMergingRestoresTheVolume) {
  const auto p = boxes();
  // A bright wall at y = 5.
  Pixels<float> wall(p.size, 10.0F);
  for (std::int64_t z = 0; z < 7; ++z) {
    for (std::int64_t x = 0; x < 12; ++x) wall.at(z, x, 5) = 100.0F;
  }
  const AnyPixels signal = wall;
  const auto got = made(p, {CorrectionAction::split, {{2, 4, 3}, {2, 4, 8}}}, &signal);
  ASSERT_TRUE(got.ok()) << got.error().message();
  EXPECT_EQ(got->change.labels, (std::vector<std::uint32_t>{3, 9}));
  for (std::int64_t y = 2; y < 9; ++y) {
    if (y == 5) continue;
    EXPECT_EQ(got->labels.values[static_cast<std::size_t>((4 * 12 + 7) * 20 + y)], y < 5 ? 3U : 9U);
  }
  Pixels<std::uint32_t> now(p.size);
  now.values = got->labels.values;
  const auto back = made(now, {CorrectionAction::merge, {{2, 4, 3}, {2, 4, 8}}});
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back->labels.values, p.values);
  // Walls that are dark.
  for (float& v : wall.values) v = -v;
  const AnyPixels dark = wall;
  Correction other{CorrectionAction::split, {{2, 4, 3}, {2, 4, 8}}};
  other.dark_walls = true;
  const auto same = made(p, other, &dark);
  ASSERT_TRUE(same.ok());
  EXPECT_EQ(same->labels.values, got->labels.values);
}

TEST(Corrections, SplitOfAPlateauIsByDistance) {
  const auto p = painted({1, 3, 41}, [](auto, auto, auto) -> std::uint32_t { return 1; });
  const auto got = made(p, {CorrectionAction::split, {{0, 1, 0}, {0, 1, 40}}});
  ASSERT_TRUE(got.ok());
  EXPECT_NEAR(static_cast<double>(count(got->labels, 1)), 61.5, 3.0);
  EXPECT_EQ(count(got->labels, 1) + count(got->labels, 2), 123);
}

TEST(Corrections, RefusalsSayWhat) {
  const auto p = boxes();
  EXPECT_NE(refusal(p, {CorrectionAction::split, {{2, 4, 3}}}).find("one place"),
            std::string::npos);
  EXPECT_NE(refusal(p, {CorrectionAction::split, {{2, 4, 3}, {2, 4, 10}}}).find("2 cells"),
            std::string::npos);
  EXPECT_NE(refusal(p, {CorrectionAction::remove, {{7, 0, 0}}}).find("outside of the image"),
            std::string::npos);
  EXPECT_NE(refusal(p, {CorrectionAction::remove, {{0, 0, -1}}}).find("outside of the image"),
            std::string::npos);
  EXPECT_NE(refusal(p, {CorrectionAction::remove, {}}).find("no point"), std::string::npos);
  EXPECT_NE(refusal(p, {CorrectionAction::fill_holes, {{2, 4, 10}}}).find("no holes"),
            std::string::npos);
  EXPECT_NE(refusal(p, {CorrectionAction::grow, {{2, 4, 10}}}).find("no radius"),
            std::string::npos);
  EXPECT_NE(refusal(p, {CorrectionAction::shrink, {{2, 4, 10}}, 50.0}).find("whole cell"),
            std::string::npos);
  EXPECT_NE(refusal(p, {CorrectionAction::paint, {{0, 0, 0}}, 1.0}).find("background"),
            std::string::npos);
  EXPECT_NE(refusal(p, {CorrectionAction::erase, {{0, 0, 0}}, 0.1}).find("no cell"),
            std::string::npos);
}

TEST(Corrections, NoNumberBeyondThe32Bits) {
  auto p = boxes();
  for (std::uint32_t& l : p.values) l = l == 8 ? 0xFFFFFFFFU : l;
  EXPECT_NE(refusal(p, {CorrectionAction::split, {{2, 4, 3}, {2, 4, 8}}}).find("no number left"),
            std::string::npos);
  // Numbering them makes room.
  const auto got = made(p, {CorrectionAction::relabel, {}});
  ASSERT_TRUE(got.ok());
  EXPECT_EQ(got->labels.largest, 2U);
  EXPECT_EQ(count(got->labels, 2), 5 * 8 * 6);
}

TEST(Corrections, DeleteMakesBackground) {
  const auto p = boxes();
  const auto gone = made(p, {CorrectionAction::remove, {{2, 4, 10}}});
  ASSERT_TRUE(gone.ok());
  EXPECT_EQ(count(gone->labels, 8), 0);
  EXPECT_EQ(count(gone->labels, 3), 5 * 8 * 7 - 1);
}

TEST(Corrections, ManyUndoneAndDoneAgainAreTheSameBytes) {
  const auto p = test::tissue({12, 30, 30}, 25, 17);
  std::mt19937 random(3);
  Labels labels = labels_of(p);
  LabelFinding known;
  known.label = 2;
  known.leak_radius = 1.0;
  labels.findings.push_back(known);
  const AnyPixels signal = flat_signal(p.size);
  std::vector<Labels> states{labels};
  std::vector<LabelChange> changes;
  for (int i = 0; i < 60; ++i) {
    Correction asked;
    asked.action = static_cast<CorrectionAction>(random() % 10);
    for (int k = 0; k < 2; ++k) {
      asked.points.push_back({static_cast<std::int64_t>(random() % 12),
                              static_cast<std::int64_t>(random() % 30),
                              static_cast<std::int64_t>(random() % 30)});
    }
    asked.radius = 0.5 + static_cast<double>(random() % 4);
    const auto change = correction(asked, labels, signal, kCorrectedVoxel);
    if (!change) continue;
    change->apply(labels);
    changes.push_back(*change);
    states.push_back(labels);
  }
  EXPECT_GT(changes.size(), 15U);
  for (std::size_t i = changes.size(); i-- > 0;) {
    changes[i].revert(labels);
    ASSERT_EQ(labels, states[i]);
  }
  for (std::size_t i = 0; i < changes.size(); ++i) {
    changes[i].apply(labels);
    ASSERT_EQ(labels, states[i + 1]);
  }
}

TEST(Corrections, WhatIsKnownOfAChangedLabelGoesAndOfOthersStays) {
  Labels labels = labels_of(boxes());
  for (const std::uint32_t l : {3U, 8U}) {
    LabelFinding one;
    one.label = l;
    labels.findings.push_back(one);
  }
  const auto change = correction({CorrectionAction::fill_holes, {{2, 4, 4}}}, labels,
                                 flat_signal({7, 12, 20}), kCorrectedVoxel);
  ASSERT_TRUE(change.ok());
  change->apply(labels);
  ASSERT_EQ(labels.findings.size(), 1U);
  EXPECT_EQ(labels.findings.front().label, 8U);
}

}  // namespace
}  // namespace aprscope
