// Corrections against what they mean, pixel by pixel.
#include "core/cells/corrections.hpp"

#include <set>

#include <gtest/gtest.h>

#include "tests/core/cells/label_phantoms.hpp"

namespace aprscope {
namespace {

using test::labels_of;
using test::painted;

const VoxelSize kVoxel{2.0, 0.5, 0.5, "µm"};

AnyPixels flat_signal(Size3 size) { return Pixels<std::uint8_t>(size, 7); }

struct Made {
  Labels labels;
  LabelChange change;
};

Result<Made> made(const Pixels<std::uint32_t>& p, const Correction& asked,
                  const AnyPixels* signal = nullptr, const VoxelSize& voxel = kVoxel) {
  Labels labels = labels_of(p);
  const AnyPixels flat = flat_signal(p.size);
  auto change = correction(asked, labels, signal != nullptr ? *signal : flat, voxel);
  if (!change) return change.error();
  const auto records = label_records({p.size, labels.values, labels.largest}, {});
  const auto again =
      correction(asked, labels, signal != nullptr ? *signal : flat, voxel, &*records);
  EXPECT_TRUE(again.ok());
  EXPECT_EQ(again->runs, change->runs);
  const Labels before = labels;
  change->apply(labels);
  Labels back = labels;
  change->revert(back);
  EXPECT_EQ(back, before);
  // Box and labels are those of the difference.
  std::set<std::uint32_t> changed;
  for (std::size_t i = 0; i < p.values.size(); ++i) {
    if (labels.values[i] == p.values[i]) continue;
    changed.insert(labels.values[i]);
    changed.insert(p.values[i]);
    const auto at = static_cast<std::int64_t>(i);
    const std::int64_t z = at / p.size.y / p.size.x;
    const std::int64_t x = at / p.size.y % p.size.x;
    const std::int64_t y = at % p.size.y;
    const Region& box = change->box;
    EXPECT_TRUE(z >= box.begin.z && z < box.end.z && x >= box.begin.x && x < box.end.x &&
                y >= box.begin.y && y < box.end.y);
  }
  changed.erase(0);
  EXPECT_EQ(change->labels, std::vector<std::uint32_t>(changed.begin(), changed.end()));
  for (const std::uint32_t l : labels.values) EXPECT_LE(l, labels.largest);
  return Made{std::move(labels), *std::move(change)};
}

std::string refusal(const Pixels<std::uint32_t>& p, const Correction& asked) {
  const auto got = made(p, asked);
  EXPECT_FALSE(got.ok());
  return got ? "" : got.error().message();
}

std::int64_t count(const Labels& labels, std::uint32_t of) {
  return std::count(labels.values.begin(), labels.values.end(), of);
}

// Two boxes side by side, with a cavity in the first.
Pixels<std::uint32_t> boxes() {
  auto p = painted({7, 12, 20}, [](auto z, auto x, auto y) -> std::uint32_t {
    if (z < 1 || z > 5 || x < 2 || x > 9) return 0;
    return y >= 2 && y < 9 ? 3 : y >= 9 && y < 15 ? 8 : 0;
  });
  p.at(3, 5, 5) = 0;
  return p;
}

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
  EXPECT_NE(refusal(p, {CorrectionAction::create, {{0, 0, 0}}}).find("border"), std::string::npos);
  EXPECT_NE(refusal(p, {CorrectionAction::create, {{2, 4, 3}}}).find("already"), std::string::npos);
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

TEST(Corrections, DeleteNewAndHoles) {
  const auto p = boxes();
  const auto gone = made(p, {CorrectionAction::remove, {{2, 4, 10}}});
  ASSERT_TRUE(gone.ok());
  EXPECT_EQ(count(gone->labels, 8), 0);
  EXPECT_EQ(count(gone->labels, 3), 5 * 8 * 7 - 1);
  const auto made_new = made(p, {CorrectionAction::create, {{3, 5, 5}, {3, 5, 5}}});
  ASSERT_TRUE(made_new.ok()) << made_new.error().message();
  EXPECT_EQ(count(made_new->labels, 9), 1);
  const auto filled = made(p, {CorrectionAction::fill_holes, {{2, 4, 4}}});
  ASSERT_TRUE(filled.ok());
  EXPECT_EQ(count(filled->labels, 3), 5 * 8 * 7);
  // With a radius the background may go on beyond it: 1 µm is two pixels, and no other slice.
  const auto disc = made(p, {CorrectionAction::create, {{0, 6, 6}}, 1.0});
  ASSERT_TRUE(disc.ok());
  EXPECT_EQ(count(disc->labels, 9), 13);
}

// By distances between all pairs of pixels.
TEST(Corrections, GrowAndShrinkByMicrometres) {
  const auto p = test::tissue({6, 14, 15}, 9, 13);
  const auto radii = {0.5, 0.8, 1.6, 2.0, 2.1};
  for (const double r : radii) {
    for (const bool grows : {true, false}) {
      const Index3 at{3, 7, 7};
      const std::uint32_t label = p.at(at.z, at.x, at.y);
      ASSERT_NE(label, 0U);
      auto want = p;
      for (std::int64_t z = 0; z < p.size.z; ++z) {
        for (std::int64_t x = 0; x < p.size.x; ++x) {
          for (std::int64_t y = 0; y < p.size.y; ++y) {
            const bool mine = p.at(z, x, y) == label;
            if (grows ? p.at(z, x, y) != 0 : !mine) continue;
            bool near = false;
            for (std::int64_t i = 0; i < p.size.count(); ++i) {
              const std::int64_t oz = i / p.size.y / p.size.x;
              const std::int64_t ox = i / p.size.y % p.size.x;
              const std::int64_t oy = i % p.size.y;
              if ((p.at(oz, ox, oy) == label) != grows) continue;
              const double d =
                  std::hypot(2.0 * static_cast<double>(z - oz), 0.5 * static_cast<double>(x - ox),
                             0.5 * static_cast<double>(y - oy));
              near = near || d <= r + 1e-9;
            }
            if (near) want.at(z, x, y) = grows ? label : 0;
          }
        }
      }
      const auto got =
          made(p, {grows ? CorrectionAction::grow : CorrectionAction::shrink, {at}, r});
      if (!got) {
        // Nothing to grow into, or nothing left.
        EXPECT_TRUE(want.values == p.values ||
                    std::count(want.values.begin(), want.values.end(), label) == 0)
            << got.error().message();
        continue;
      }
      EXPECT_EQ(got->labels.values, want.values) << r << grows;
    }
  }
}

TEST(Corrections, BrushesOfMicrometres) {
  const auto p = boxes();
  Correction ball{CorrectionAction::erase, {{3, 5, 10}}, 2.0};
  const auto erased = made(p, ball);
  ASSERT_TRUE(erased.ok());
  for (std::int64_t z = 0; z < 7; ++z) {
    for (std::int64_t x = 0; x < 12; ++x) {
      for (std::int64_t y = 0; y < 20; ++y) {
        const double d =
            std::hypot(2.0 * static_cast<double>(z - 3), 0.5 * static_cast<double>(x - 5),
                       0.5 * static_cast<double>(y - 10));
        EXPECT_EQ(erased->labels.values[static_cast<std::size_t>((z * 12 + x) * 20 + y)],
                  d <= 2.0 ? 0U : p.at(z, x, y));
      }
    }
  }
  // In the slice, and in one more on either side: discs of 13 pixels.
  for (const std::int64_t slices : {0, 1}) {
    Correction disc{CorrectionAction::paint, {{3, 5, 13}, {3, 5, 17}}, 1.0, slices};
    const auto drawn = made(p, disc);
    ASSERT_TRUE(drawn.ok());
    // Six pixels of the second disc and of the first lie beyond the cell: y 15; y 15 to 19.
    EXPECT_EQ(count(drawn->labels, 8), 5 * 8 * 6 + (2 * slices + 1) * 13);
  }
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
    const auto change = correction(asked, labels, signal, kVoxel);
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
                                 flat_signal({7, 12, 20}), kVoxel);
  ASSERT_TRUE(change.ok());
  change->apply(labels);
  ASSERT_EQ(labels.findings.size(), 1U);
  EXPECT_EQ(labels.findings.front().label, 8U);
}

}  // namespace
}  // namespace aprscope
