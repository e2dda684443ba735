#include "core/base/csv.hpp"

#include <cstdlib>
#include <limits>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

TEST(Csv, QuotesWhatWouldBreakTheTable) {
  EXPECT_EQ(csv_line({"a", "b c", ""}), "a,b c,\n");
  EXPECT_EQ(csv_line({"x,y", "say \"no\"", "two\nlines"}),
            "\"x,y\",\"say \"\"no\"\"\",\"two\nlines\"\n");
}

TEST(Csv, TextsThatASpreadsheetWouldComputeAreTexts) {
  EXPECT_EQ(csv_line({"=HYPERLINK(\"http://x\")"}), "\"'=HYPERLINK(\"\"http://x\"\")\"\n");
  EXPECT_EQ(csv_line({"+cmd", "-2+3", "@SUM(A1)", "\tx", "\rx", "\n=x"}),
            "\"'+cmd\",\"'-2+3\",\"'@SUM(A1)\",\"'\tx\",\"'\rx\",\"'\n=x\"\n");
  // What a formula may stand behind.
  EXPECT_EQ(csv_line({"-1=1", "-1e5x", "-inf", "--1", "+-1"}),
            "\"'-1=1\",\"'-1e5x\",\"'-inf\",\"'--1\",\"'+-1\"\n");
}

TEST(Csv, NegativeNumbersStayNumbers) {
  EXPECT_EQ(csv_line({"-1.5", "+2", "-1e-300", csv_number(-0.25), "a=b", "1-2"}),
            "-1.5,+2,-1e-300,-0.25,a=b,1-2\n");
}

TEST(Csv, NumbersComeBackAsTheyWere) {
  for (const double v : {0.1, -1.0 / 3.0, 1e-300, 123456789.123, 42.0}) {
    EXPECT_EQ(std::strtod(csv_number(v).c_str(), nullptr), v);
  }
  EXPECT_EQ(csv_number(std::numeric_limits<double>::infinity()), "");
  EXPECT_EQ(csv_number(std::numeric_limits<double>::quiet_NaN()), "");
}

TEST(Csv, WhatWasWrittenIsReadAgain) {
  const std::vector<std::vector<std::string>> lines{{"a", "", "b c"},
                                                    {"x,y", "say \"no\"", "two\nlines"},
                                                    {"=1+1", "\"", "'quoted'"},
                                                    {""},
                                                    {"-1.5", "-x", ","}};
  std::string text;
  for (const auto& line : lines) text += csv_line(line);
  const auto records = csv_records(text);
  ASSERT_EQ(records.size(), lines.size());
  std::string again;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_EQ(csv_fields(records[i]), lines[i]) << i;
    again += records[i];
  }
  EXPECT_EQ(again, text);
}

TEST(Csv, ALastLineNeedNotEnd) {
  EXPECT_EQ(csv_records("a,b\n1,2"), (std::vector<std::string_view>{"a,b\n", "1,2"}));
  EXPECT_TRUE(csv_records("").empty());
  EXPECT_EQ(csv_records("\"no end\nof it\n").size(), 1U);
}

}  // namespace
}  // namespace aprscope
