#include "core/cells/amended_labels.hpp"

#include <memory>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

constexpr Size3 kSize{5, 7, 9};

std::shared_ptr<const Labels> start() {
  Labels labels;
  labels.values.assign(static_cast<std::size_t>(kSize.count()), 1);
  labels.largest = 1;
  labels.findings.push_back({1, 0.5, {1, 2, 3}, 7.0, 2});
  return std::make_shared<const Labels>(std::move(labels));
}

// Some runs get other labels.
std::shared_ptr<const LabelChange> random_change(const Labels& of, std::mt19937_64& random) {
  LabelChangeBuilder builder(of, whole(kSize));
  for (std::int64_t z = 0; z < kSize.z; ++z) {
    for (std::int64_t x = 0; x < kSize.x; ++x) {
      const auto y = static_cast<std::int64_t>(random() % 9);
      builder.set(z, x, y, static_cast<std::uint32_t>(random() % 6));
    }
  }
  return std::make_shared<const LabelChange>(builder.take());
}

TEST(AmendedLabels, ChangesAndUndoesInTwoCopiesByTurns) {
  std::mt19937_64 random(3);
  AmendedLabels amended;
  auto now = start();
  std::vector<Labels> states{*now};
  std::vector<std::shared_ptr<const LabelChange>> changes;
  for (int i = 0; i < 40; ++i) {
    const bool back = !changes.empty() && random() % 3 == 0;
    if (back) {
      now = amended.reverted(now, changes.back());
      changes.pop_back();
      states.pop_back();
    } else {
      changes.push_back(random_change(*now, random));
      Labels expected = *now;
      changes.back()->apply(expected);
      now = amended.applied(now, changes.back());
      states.push_back(std::move(expected));
    }
    ASSERT_EQ(*now, states.back()) << i;
  }
  // The first of them, and the one beside it.
  EXPECT_EQ(amended.copies(), 2);
}

TEST(AmendedLabels, WhatIsLookedAtDoesNotChange) {
  std::mt19937_64 random(4);
  AmendedLabels amended;
  std::vector<std::pair<std::shared_ptr<const Labels>, Labels>> looked_at;
  auto now = start();
  for (int i = 0; i < 12; ++i) {
    if (random() % 2 == 0) looked_at.emplace_back(now, *now);
    const auto change = random_change(*now, random);
    now = amended.applied(now, change);
    for (const auto& [held, was] : looked_at) ASSERT_EQ(*held, was) << i;
  }
}

TEST(AmendedLabels, PreparesTheCopyThatTheFirstCorrectionNeeds) {
  std::mt19937_64 random(5);
  AmendedLabels amended;
  const auto first = start();
  amended.prepare(first);
  amended.prepare(first);
  EXPECT_EQ(amended.copies(), 1);
  const auto change = random_change(*first, random);
  const auto second = amended.applied(first, change);
  EXPECT_EQ(amended.copies(), 1);
  Labels expected = *first;
  change->apply(expected);
  EXPECT_EQ(*second, expected);
  // Of other labels it is of no use.
  const auto other = start();
  EXPECT_EQ(*amended.applied(other, change), expected);
  EXPECT_EQ(amended.copies(), 2);
}

}  // namespace
}  // namespace aprscope
