#include "core/data/row_conditions.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

using Rows = std::vector<bool>;

Table images() {
  Table table{"projections", "Projections", {}};
  table.columns.push_back({"image", "Image", "", std::vector<std::int64_t>{1, 2, 3, 4}});
  table.columns.push_back(
      {"correlation", "Correlation", "", std::vector<double>{0.9, 0.1, std::nan(""), -0.3}});
  table.columns.push_back(
      {"defocus_u", "Defocus U", "Å", std::vector<double>{8000, 16000, 16000.5, 24000}});
  table.columns.push_back({"defocus_v", "Defocus V", "Å", std::vector<double>(4, 7000)});
  table.columns.push_back({"stack", "Stack", "", std::vector<std::string>(4, "a.mrcs")});
  return table;
}

TEST(RowConditions, AreHeldByRowsOrNot) {
  const Table table = images();
  EXPECT_EQ(rows_that_hold(table, "correlation < 0.2"), (Rows{false, true, false, true}));
  EXPECT_EQ(rows_that_hold(table, "correlation>=.9"), (Rows{true, false, false, false}));
  EXPECT_EQ(rows_that_hold(table, "Image != 2"), (Rows{true, false, true, true}));
  EXPECT_EQ(rows_that_hold(table, "image=2"), (Rows{false, true, false, false}));
  EXPECT_EQ(rows_that_hold(table, "defocus_u ≤ 16000"), (Rows{true, true, false, false}));
  EXPECT_EQ(rows_that_hold(table, "Defocus U ≥ 1.6e4"), (Rows{false, true, true, true}));
  EXPECT_EQ(rows_that_hold(table, "  defocus u>16000 , correlation < 0,"),
            (Rows{false, false, false, true}));
  // What is not known is neither equal nor unequal.
  EXPECT_EQ(rows_that_hold(table, "correlation ≠ 5"), (Rows{true, true, false, true}));
}

TEST(RowConditions, OneColumnMayBeNamedByItsBeginning) {
  const Table table = images();
  EXPECT_EQ(rows_that_hold(table, "corr < 0"), (Rows{false, false, false, true}));
  // There are two.
  EXPECT_FALSE(rows_that_hold(table, "defocus > 16000").has_value());
}

TEST(RowConditions, OtherWordsAreNone) {
  const Table table = images();
  for (const char* words :
       {"", "  ", ",", "a.mrcs", "correlation", "correlation <", "< 3", "correlation < x",
        "correlation < 0.2 px", "nothing < 3", "stack = 1", "image = 1, a.mrcs", "image = 1 = 2"}) {
    EXPECT_FALSE(rows_that_hold(table, words).has_value()) << words;
  }
}

}  // namespace
}  // namespace aprscope
