// Numbers of a few digits.
#include "core/base/digits.hpp"

#include <gtest/gtest.h>

namespace aprscope {
namespace {

TEST(Digits, AreThoseOfTheNearestNumber) {
  EXPECT_EQ(to_digits(1.23456, 3), 1.23);
  EXPECT_EQ(to_digits(0.0012357, 3), 0.00124);
  EXPECT_EQ(to_digits(98765.0, 3), 98800.0);
  EXPECT_EQ(to_digits(2.0, 3), 2.0);
  EXPECT_EQ(to_digits(0.0, 3), 0.0);
}

TEST(Digits, UpwardsAreNeverBelow) {
  EXPECT_EQ(up_to_digits(1.23456, 3), 1.24);
  EXPECT_EQ(up_to_digits(1.23, 3), 1.23);
  EXPECT_EQ(up_to_digits(9.9999, 3), 10.0);
  EXPECT_EQ(up_to_digits(9.991, 3), 10.0);
  EXPECT_EQ(up_to_digits(0.0012301, 3), 0.00124);
  EXPECT_EQ(up_to_digits(98701.0, 3), 98800.0);
  EXPECT_EQ(up_to_digits(2.5, 3), 2.5);
  for (double value = 1e-3; value < 1e4; value *= 1.0037) {
    EXPECT_GE(up_to_digits(value, 3), value);
    EXPECT_LE(up_to_digits(value, 3), value * 1.0101);
  }
}

}  // namespace
}  // namespace aprscope
