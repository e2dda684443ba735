#include "core/base/printed.hpp"

#include <gtest/gtest.h>

namespace aprscope {
namespace {

TEST(Printed, IsWhatTheFormatSays) {
  EXPECT_EQ(printed("%.2f mm", 1.255), "1.25 mm");
  EXPECT_EQ(printed("%+.1f %%", -3.25), "-3.2 %");
  EXPECT_EQ(printed("%.6g", 1234567.0), "1.23457e+06");
}

// The largest number as %f writes it has 309 digits.
TEST(Printed, IsCutWhereItIsTooLong) { EXPECT_EQ(printed("%f", 1e300).size(), 63U); }

}  // namespace
}  // namespace aprscope
