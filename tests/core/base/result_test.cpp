#include "core/base/result.hpp"

#include <memory>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

TEST(Error, MessageIsOneSentenceWithWhereWhatAndAdvice) {
  const Error error{"is cut off", "a.tif", "copy it again"};
  EXPECT_EQ(error.message(), "a.tif: is cut off; copy it again.");
  EXPECT_EQ((Error{"is cut off", "", ""}.message()), "is cut off.");
}

TEST(Result, HoldsValueOrError) {
  Result<std::unique_ptr<int>> good = std::make_unique<int>(3);
  ASSERT_TRUE(good.ok());
  const std::unique_ptr<int> taken = *std::move(good);
  EXPECT_EQ(*taken, 3);
  const Result<int> bad = Error{"no", "", ""};
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().what, "no");
  EXPECT_FALSE(bad.error().cancelled());
  EXPECT_TRUE(cancelled_error().cancelled());
}

TEST(Status, SuccessByDefault) {
  EXPECT_TRUE(Status{}.ok());
  EXPECT_FALSE(Status{cancelled_error()}.ok());
}

}  // namespace
}  // namespace aprscope
