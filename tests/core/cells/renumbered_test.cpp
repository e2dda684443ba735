#include "core/cells/renumbered.hpp"

#include <gtest/gtest.h>

namespace aprscope {
namespace {

TEST(Renumbered, NumbersInTheOrderOfTheFirstPixelWithoutGaps) {
  Labels labels;
  labels.values = {0, 7, 7, 0, 3, 9, 3, 7};
  labels.largest = 9;
  EXPECT_EQ(renumbered(labels).values, (std::vector<std::uint32_t>{0, 1, 1, 0, 2, 3, 2, 1}));
  EXPECT_EQ(renumbered(labels).largest, 3U);
}

TEST(Renumbered, FindingsStayWithTheirObjectsAndThoseOfNoneGo) {
  Labels labels;
  labels.values = {9, 3};
  labels.largest = 9;
  LabelFinding leaks;
  leaks.leak_radius = 2.5;
  for (const std::uint32_t label : {3U, 5U, 9U}) {
    leaks.label = label;
    leaks.most_open_slice = label;
    labels.findings.push_back(leaks);
  }
  const Labels made = renumbered(labels);
  ASSERT_EQ(made.findings.size(), 2U);
  ASSERT_NE(made.finding(1), nullptr);
  EXPECT_EQ(made.finding(1)->most_open_slice, 9);
  ASSERT_NE(made.finding(2), nullptr);
  EXPECT_EQ(made.finding(2)->most_open_slice, 3);
  EXPECT_EQ(made.finding(3), nullptr);
}

TEST(Renumbered, LargeNumbersOfFewObjectsTakeNoMemory) {
  Labels labels;
  labels.values = {4000000000U, 0, 4294967295U, 7, 4000000000U};
  labels.largest = 4294967295U;
  LabelFinding one;
  for (const std::uint32_t label : {8U, 4294967295U}) {
    one.label = label;
    labels.findings.push_back(one);
  }
  const Labels made = renumbered(labels);
  EXPECT_EQ(made.values, (std::vector<std::uint32_t>{1, 0, 2, 3, 1}));
  EXPECT_EQ(made.largest, 3U);
  ASSERT_EQ(made.findings.size(), 1U);
  EXPECT_EQ(made.findings.front().label, 2U);
}

TEST(Renumbered, NoObjectsStayNone) {
  Labels labels;
  labels.values = {0, 0};
  EXPECT_EQ(renumbered(labels), labels);
}

}  // namespace
}  // namespace aprscope
