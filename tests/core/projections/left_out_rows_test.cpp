#include "core/projections/left_out_rows.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "core/projections/project.hpp"

namespace aprscope {
namespace {

std::vector<bool> rows(std::size_t count, std::initializer_list<std::size_t> on) {
  std::vector<bool> all(count, false);
  for (const std::size_t one : on) all[one] = true;
  return all;
}

TEST(LeftOutRows, RangesSayWhichRows) {
  EXPECT_EQ(row_ranges(rows(5, {})), "");
  EXPECT_EQ(row_ranges(rows(20, {2, 16, 17, 18, 19})), "3,17-20");
  EXPECT_EQ(row_ranges(rows(4, {0, 1, 3})), "1-2,4");
}

TEST(LeftOutRows, RangesAreReadAgain) {
  // All sets of 10 rows.
  for (unsigned bits = 0; bits < 1024; ++bits) {
    std::vector<bool> wanted(10);
    for (unsigned i = 0; i < 10; ++i) wanted[i] = ((bits >> i) & 1U) != 0;
    const auto read = rows_of_ranges(row_ranges(wanted), 10);
    ASSERT_TRUE(read.ok()) << read.error().message();
    ASSERT_EQ(*read, wanted) << row_ranges(wanted);
  }
  const auto loose = rows_of_ranges(" 2 , 4 - 5,, 2", 6);
  ASSERT_TRUE(loose.ok()) << loose.error().message();
  EXPECT_EQ(*loose, rows(6, {1, 3, 4}));
}

TEST(LeftOutRows, WhatIsNoRangeIsNamed) {
  for (const char* bad : {"x", "3-", "-3", "0", "5-3", "7", "2-7", "1.5", "3 4", "1-2-3",
                          "99999999999999999999999", "unusable"}) {
    const auto read = rows_of_ranges(std::string("1,") + bad, 6);
    ASSERT_FALSE(read.ok()) << bad;
    EXPECT_NE(read.error().message().find(bad), std::string::npos) << read.error().message();
  }
}

TEST(LeftOutRows, RowsAreDisabledAndUnusableOnesByTheirWord) {
  ProjectionTable table = uniform_projections(16, 1.0, 8, 1);
  table.stacks = {"one.mrcs", "two.mrcs"};
  table.rows[6].stack = 1;
  table.stack_problems.push_back({1, "is not there"});
  table.unusable.push_back({3, "its angle is not a number"});
  ProjectionTable some = table;
  ASSERT_TRUE(leave_out_rows(some, "1-2").ok());
  std::vector<bool> enabled;
  for (const Projection& row : some.rows) enabled.push_back(row.enabled);
  EXPECT_EQ(enabled, rows(8, {2, 3, 4, 5, 6, 7}));
  ASSERT_TRUE(leave_out_rows(some, "unusable, 8").ok());
  enabled.clear();
  for (const Projection& row : some.rows) enabled.push_back(row.enabled);
  EXPECT_EQ(enabled, rows(8, {2, 4, 5}));
  // A mistake leaves all as it was.
  ProjectionTable same = table;
  const Status wrong = leave_out_rows(same, "1,9");
  ASSERT_FALSE(wrong.ok());
  EXPECT_TRUE(same.rows[0].enabled);
}

// A shift of 6 Å is 3 pixels of 2 Å and 4 of 1.5 Å; one of 3 pixels stays that.
TEST(ProjectionTable, ATypedPixelSizeKeepsLengths) {
  ProjectionTable lengths = uniform_projections(16, 2.0, 1, 1);
  lengths.rows[0].shift_x = 3.0;
  lengths.rows[0].shift_y = -1.5;
  ProjectionTable pixels = lengths;
  lengths.shifts_in_angstrom = true;
  for (ProjectionTable* table : {&lengths, &pixels}) {
    table->optics.push_back(table->optics[0]);
    table->optics[1].pixel_size = 4.0;
    set_pixel_size(*table, 1.5);
    EXPECT_DOUBLE_EQ(table->pixel_size, 1.5);
    EXPECT_DOUBLE_EQ(table->optics[0].pixel_size, 1.5);
    EXPECT_DOUBLE_EQ(table->optics[1].pixel_size, 3.0);
  }
  EXPECT_DOUBLE_EQ(lengths.rows[0].shift_x, 4.0);
  EXPECT_DOUBLE_EQ(lengths.rows[0].shift_y, -2.0);
  EXPECT_DOUBLE_EQ(pixels.rows[0].shift_x, 3.0);
  // Where there was no size, pixels are all that is known.
  ProjectionTable unknown = uniform_projections(16, std::numeric_limits<double>::quiet_NaN(), 1, 1);
  unknown.shifts_in_angstrom = true;
  unknown.rows[0].shift_x = 3.0;
  set_pixel_size(unknown, 1.5);
  EXPECT_DOUBLE_EQ(unknown.optics[0].pixel_size, 1.5);
  EXPECT_DOUBLE_EQ(unknown.rows[0].shift_x, 3.0);
}

}  // namespace
}  // namespace aprscope
