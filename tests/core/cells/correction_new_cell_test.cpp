// New cells of background.
#include "core/cells/correction_new_cell.hpp"

#include <gtest/gtest.h>

#include "tests/core/cells/correction_cases.hpp"

namespace aprscope {
namespace {

using test::boxes;
using test::count;
using test::made;
using test::refusal;

TEST(CorrectionNewCell, IsTheBackgroundRoundAPoint) {
  const auto p = boxes();
  // The second point lies in what the first one made.
  const auto hole = made(p, {CorrectionAction::create, {{3, 5, 5}, {3, 5, 5}}});
  ASSERT_TRUE(hole.ok()) << hole.error().message();
  EXPECT_EQ(count(hole->labels, 9), 1);
  // With a radius the background may go on beyond it: 1 µm is two pixels, and no other slice.
  const auto disc = made(p, {CorrectionAction::create, {{0, 6, 6}}, 1.0});
  ASSERT_TRUE(disc.ok());
  EXPECT_EQ(count(disc->labels, 9), 13);
  // Of two that want a pixel the first has it.
  const auto two = made(p, {CorrectionAction::create, {{0, 6, 6}, {0, 6, 9}}, 1.0});
  ASSERT_TRUE(two.ok());
  EXPECT_EQ(count(two->labels, 9), 13);
  EXPECT_EQ(count(two->labels, 10), 13 - 2);
}

TEST(CorrectionNewCell, NeedsBackgroundThatIsEnclosedOrARadius) {
  const auto p = boxes();
  EXPECT_NE(refusal(p, {CorrectionAction::create, {{0, 0, 0}}}).find("border"), std::string::npos);
  EXPECT_NE(refusal(p, {CorrectionAction::create, {{2, 4, 3}}}).find("already"), std::string::npos);
}

}  // namespace
}  // namespace aprscope
