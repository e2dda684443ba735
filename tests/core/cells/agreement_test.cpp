#include "core/cells/agreement.hpp"

#include <cmath>
#include <stop_token>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

Labels labels(std::vector<std::uint32_t> values) {
  Labels out;
  for (const std::uint32_t one : values) out.largest = std::max(out.largest, one);
  out.values = std::move(values);
  return out;
}

LabelAgreement compare(const Labels& truth, const Labels& found, std::uint64_t large = 3) {
  const auto made = compare_labels(truth, found, large);
  EXPECT_TRUE(made);
  return *made;
}

TEST(Agreement, OfTheSameRegionsIsPerfectWhateverTheirNumbers) {
  const auto made = compare(labels({0, 1, 1, 2, 2, 2}), labels({0, 9, 9, 4, 4, 4}));
  EXPECT_EQ(made.truths, 2U);
  EXPECT_EQ(made.found, 2U);
  EXPECT_EQ(made.mean_best_iou, 1.0);
  EXPECT_EQ(made.large_truths, 1U);
  EXPECT_EQ(made.mean_best_iou_large, 1.0);
  EXPECT_EQ(made.at_three_quarters.f1, 1.0);
  EXPECT_EQ(made.split_bits, 0.0);
  EXPECT_EQ(made.merge_bits, 0.0);
}

TEST(Agreement, CountsByHand) {
  // Truth 1: four pixels, of which found 1 has three and one that is nothing; truth 2: four, cut
  // into halves.
  const auto made =
      compare(labels({1, 1, 1, 1, 2, 2, 2, 2, 0, 0}), labels({1, 1, 1, 0, 2, 2, 3, 3, 1, 0}), 5);
  EXPECT_DOUBLE_EQ(made.mean_best_iou, (3.0 / 5.0 + 2.0 / 4.0) / 2.0);
  EXPECT_TRUE(std::isnan(made.mean_best_iou_large));
  EXPECT_EQ(made.at_half.matched, 2U);
  EXPECT_DOUBLE_EQ(made.at_half.precision, 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(made.at_half.recall, 1.0);
  EXPECT_DOUBLE_EQ(made.at_half.f1, 0.8);
  EXPECT_EQ(made.at_three_quarters.matched, 0U);
  // H(found | truth): half of the pixels at ¾ : ¼, half at ½ : ½.
  const double uneven = -0.75 * std::log2(0.75) - 0.25 * std::log2(0.25);
  EXPECT_NEAR(made.split_bits, 0.5 * uneven + 0.5, 1e-12);
  EXPECT_NEAR(made.merge_bits, 0.0, 1e-12);
}

TEST(Agreement, TellsSplittingFromRunningTogether) {
  const Labels two = labels({1, 1, 2, 2});
  const Labels one = labels({1, 1, 1, 1});
  EXPECT_DOUBLE_EQ(compare(one, two).split_bits, 1.0);
  EXPECT_DOUBLE_EQ(compare(one, two).merge_bits, 0.0);
  EXPECT_DOUBLE_EQ(compare(two, one).split_bits, 0.0);
  EXPECT_DOUBLE_EQ(compare(two, one).merge_bits, 1.0);
}

TEST(Agreement, TakesNumbersWithGaps) {
  const auto plain = compare(labels({0, 1, 1, 2, 2, 2}), labels({3, 3, 1, 2, 2, 0}));
  const auto gaps =
      compare(labels({0, 5, 5, 4'294'967'294U, 4'294'967'294U, 4'294'967'294U}),
              labels({4'000'000'003U, 4'000'000'003U, 1, 2'000'000'002U, 2'000'000'002U, 0}));
  EXPECT_EQ(gaps.truths, plain.truths);
  EXPECT_EQ(gaps.found, plain.found);
  EXPECT_EQ(gaps.mean_best_iou, plain.mean_best_iou);
  EXPECT_EQ(gaps.at_half.matched, plain.at_half.matched);
  EXPECT_EQ(gaps.split_bits, plain.split_bits);
  EXPECT_EQ(gaps.merge_bits, plain.merge_bits);
}

TEST(Agreement, WithoutObjectsIsNoNumber) {
  const auto made = compare(labels({0, 0}), labels({1, 1}));
  EXPECT_TRUE(std::isnan(made.mean_best_iou));
  EXPECT_EQ(made.at_half.precision, 0.0);
  EXPECT_EQ(made.split_bits, 0.0);
}

TEST(Agreement, OfOtherSizesOrWhenStoppedIsAnError) {
  EXPECT_FALSE(compare_labels(labels({1, 2}), labels({1})));
  std::stop_source stop;
  stop.request_stop();
  const auto made = compare_labels(labels({1}), labels({1}), 1, JobContext(stop.get_token()));
  ASSERT_FALSE(made);
  EXPECT_TRUE(made.error().cancelled());
}

}  // namespace
}  // namespace aprscope
