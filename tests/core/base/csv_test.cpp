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

TEST(Csv, NumbersComeBackAsTheyWere) {
  for (const double v : {0.1, -1.0 / 3.0, 1e-300, 123456789.123, 42.0}) {
    EXPECT_EQ(std::strtod(csv_number(v).c_str(), nullptr), v);
  }
  EXPECT_EQ(csv_number(std::numeric_limits<double>::infinity()), "");
  EXPECT_EQ(csv_number(std::numeric_limits<double>::quiet_NaN()), "");
}

}  // namespace
}  // namespace aprscope
