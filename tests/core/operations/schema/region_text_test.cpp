#include "core/operations/schema/region_text.hpp"

#include <gtest/gtest.h>

namespace aprscope {
namespace {

TEST(RegionText, IsReadAndWritten) {
  const auto box = region_from_text("1:5,20:300,0:7");
  ASSERT_TRUE(box.ok()) << box.error().message();
  EXPECT_EQ(box->begin, (Index3{1, 20, 0}));
  EXPECT_EQ(box->end, (Index3{5, 300, 7}));
  EXPECT_EQ(region_text(*box), "1:5,20:300,0:7");
}

TEST(RegionText, RefusesWhatIsNoBox) {
  for (const char* text : {"", "1:5", "1:5,2:3", "1:5,2:3,4:4", "5:1,2:3,4:5", "-1:5,2:3,4:5",
                           "1:5,2:3,4:5,", "1:5,2:3,4:5 ", "a:5,2:3,4:5", "1:5;2:3,4:5",
                           "0:99999999999999999999,0:1,0:1", "0:1000001,0:1,0:1"}) {
    const auto box = region_from_text(text);
    ASSERT_FALSE(box.ok()) << text;
    EXPECT_NE(box.error().message().find("Z0:Z1,X0:X1,Y0:Y1"), std::string::npos);
  }
}

TEST(RegionIn, IsTheWholeWithoutTextAndLiesInside) {
  const Size3 size{4, 5, 6};
  EXPECT_EQ(region_in("", size)->end, (Index3{4, 5, 6}));
  EXPECT_EQ(region_in("3:4,0:5,2:6", size)->begin, (Index3{3, 0, 2}));
  const auto out = region_in("3:5,0:5,2:6", size);
  ASSERT_FALSE(out.ok());
  EXPECT_NE(out.error().message().find("4 × 5 × 6 pixels"), std::string::npos);
}

}  // namespace
}  // namespace aprscope
