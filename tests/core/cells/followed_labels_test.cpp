// Objects followed over time, against what is counted pixel by pixel.
#include "core/cells/followed_labels.hpp"

#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "core/cells/label_overlaps.hpp"

namespace aprscope {
namespace {

Labels labels_of(std::vector<std::uint32_t> values) {
  Labels out;
  for (const std::uint32_t one : values) out.largest = std::max(out.largest, one);
  out.values = std::move(values);
  return out;
}

Labels random_labels(std::uint32_t seed, std::uint32_t most) {
  std::mt19937 random(seed);
  std::vector<std::uint32_t> values;
  while (values.size() < 3000) {
    values.insert(values.end(), random() % 40 + 1, random() % (most + 1));
  }
  values.resize(3000);
  return labels_of(std::move(values));
}

TEST(LabelOverlaps, AreCountedPixelByPixel) {
  const Labels a = random_labels(1, 30);
  const Labels b = random_labels(2, 50);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> expected;
  for (std::size_t i = 0; i < a.values.size(); ++i) ++expected[{a.values[i], b.values[i]}];
  const auto found = label_overlaps(a, b);
  ASSERT_TRUE(found.ok());
  ASSERT_EQ(found->size(), expected.size());
  auto next = expected.begin();
  for (const LabelOverlap& one : *found) {
    EXPECT_EQ(one.truth, next->first.first);
    EXPECT_EQ(one.found, next->first.second);
    EXPECT_EQ(one.pixels, next->second);
    ++next;
  }
  EXPECT_FALSE(label_overlaps(a, labels_of({1, 2})).ok());
}

TEST(FollowedLabels, ObjectsKeepTheirNumbersWhateverTheyAreCalled) {
  const Labels before = random_labels(3, 20);
  // The same objects by other names.
  Labels now = before;
  for (std::uint32_t& one : now.values) one = one == 0 ? 0 : 4'000'000'000U - 7 * one;
  now.largest = 4'000'000'000U;
  const auto numbers = follow_labels(before, now, 0.1, 20);
  ASSERT_TRUE(numbers.ok());
  EXPECT_EQ(numbers->kept, numbers->earlier);
  EXPECT_EQ(renamed(now, *numbers).values, before.values);
}

TEST(FollowedLabels, NewObjectsGetNewNumbersAndTheBestPairCounts) {
  //                         1 goes on, 2 splits (its larger part is 2), 3 is gone
  const Labels before = labels_of({1, 1, 1, 1, 0, 2, 2, 2, 2, 2, 0, 3, 3, 0, 0, 0});
  const Labels now = labels_of({0, 5, 5, 5, 5, 1, 1, 0, 9, 9, 9, 0, 0, 0, 2, 2});
  const auto numbers = follow_labels(before, now, 0.1, 7);
  ASSERT_TRUE(numbers.ok());
  const Labels named = renamed(now, *numbers);
  // 1 ∩ 5: 3 of 5; 2 ∩ 1: 2 of 5; 2 ∩ 9: 2 of 6.
  EXPECT_EQ(named.values,
            (std::vector<std::uint32_t>{0, 1, 1, 1, 1, 2, 2, 0, 9, 9, 9, 0, 0, 0, 8, 8}));
  EXPECT_EQ(named.largest, 9U);
  EXPECT_EQ(numbers->kept, 2U);
  EXPECT_EQ(numbers->earlier, 3U);
  // Less than a half is no pair when a half is asked for.
  const auto strict = follow_labels(before, now, 0.5, 7);
  ASSERT_TRUE(strict.ok());
  EXPECT_EQ(strict->kept, 1U);
}

// Against a plain search for the best pair that is left, again and again.
TEST(FollowedLabels, PairsAreThoseOfAPlainSearch) {
  for (std::uint32_t seed = 10; seed < 30; ++seed) {
    const Labels before = random_labels(seed, 25);
    const Labels now = random_labels(seed + 100, 25);
    const auto numbers = follow_labels(before, now, 0.02, before.largest);
    ASSERT_TRUE(numbers.ok());
    const auto iou = [&](std::uint32_t a, std::uint32_t b) {
      double both = 0;
      double either = 0;
      for (std::size_t i = 0; i < now.values.size(); ++i) {
        const bool of_a = before.values[i] == a;
        const bool of_b = now.values[i] == b;
        both += of_a && of_b ? 1 : 0;
        either += of_a || of_b ? 1 : 0;
      }
      return either == 0 ? 0.0 : both / either;
    };
    std::map<std::uint32_t, std::uint32_t> expected;
    std::set<std::uint32_t> left_before(before.values.begin(), before.values.end());
    std::set<std::uint32_t> left_now(now.values.begin(), now.values.end());
    left_before.erase(0);
    left_now.erase(0);
    for (;;) {
      double best = 0.02;
      std::pair<std::uint32_t, std::uint32_t> pair{0, 0};
      for (const std::uint32_t a : left_before) {
        for (const std::uint32_t b : left_now) {
          const double its = iou(a, b);
          if (its >= best && (its > best || pair.first == 0)) {
            best = its;
            pair = {a, b};
          }
        }
      }
      if (pair.first == 0) break;
      expected[pair.second] = pair.first;
      left_before.erase(pair.first);
      left_now.erase(pair.second);
    }
    EXPECT_EQ(numbers->kept, expected.size());
    std::uint32_t next = before.largest;
    for (std::size_t i = 0; i < numbers->labels.size(); ++i) {
      const auto its = expected.find(numbers->labels[i]);
      EXPECT_EQ(numbers->numbers[i], its == expected.end() ? ++next : its->second) << seed;
    }
  }
}

TEST(FollowedLabels, FindingsGoWithTheirObjects) {
  Labels now = labels_of({4, 4, 0, 6, 6});
  now.findings = {{4, 0.5, {0, 0, 1}, 2.0, -1}, {6, 0.25, {0, 0, 4}, 2.0, -1}};
  const auto numbers = follow_labels(labels_of({9, 9, 0, 2, 2}), now, 0.1, 9);
  ASSERT_TRUE(numbers.ok());
  const Labels named = renamed(now, *numbers);
  ASSERT_EQ(named.findings.size(), 2U);
  EXPECT_EQ(named.findings[0].label, 2U);
  EXPECT_EQ(named.findings[0].leak_radius, 0.25);
  EXPECT_EQ(named.findings[1].label, 9U);
}

TEST(FollowedLabels, MoreObjectsThanNumbersAreAnError) {
  const auto full = follow_labels(labels_of({0, 0}), labels_of({1, 2}), 0.1, 0xFFFFFFFDU);
  ASSERT_FALSE(full.ok());
  EXPECT_TRUE(follow_labels(labels_of({0, 0}), labels_of({1, 1}), 0.1, 0xFFFFFFFDU).ok());
}

}  // namespace
}  // namespace aprscope
