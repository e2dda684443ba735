#include "core/image/spare_labels.hpp"

#include <gtest/gtest.h>

namespace aprscope {
namespace {

TEST(SpareLabels, AreTakenOnceByThoseOfTheSameSize) {
  SpareLabels spare;
  EXPECT_TRUE(spare.take(3).empty());
  std::vector<std::uint32_t> values{1, 2, 3};
  const std::uint32_t* const memory = values.data();
  spare.give(std::move(values));
  EXPECT_EQ(spare.bytes(), 12U);
  EXPECT_TRUE(spare.take(4).empty());
  EXPECT_EQ(spare.take(3).data(), memory);
  EXPECT_TRUE(spare.take(3).empty());
  EXPECT_EQ(spare.bytes(), 0U);
}

TEST(SpareLabels, AreTheLastThatWereGiven) {
  SpareLabels spare;
  spare.give({1, 2, 3});
  spare.give({4, 5});
  EXPECT_TRUE(spare.take(3).empty());
  EXPECT_EQ(spare.take(2).size(), 2U);
}

}  // namespace
}  // namespace aprscope
