// What a brush covers, by the distance of each pixel.
#include "core/cells/correction_brush.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/core/cells/correction_cases.hpp"

namespace aprscope {
namespace {

using test::boxes;
using test::count;
using test::made;

TEST(CorrectionBrush, IsABallOrADiscOfMicrometres) {
  const auto p = boxes();
  Correction ball{CorrectionAction::erase, {{3, 5, 10}}, 2.0};
  const auto erased = made(p, ball);
  ASSERT_TRUE(erased.ok());
  for (std::int64_t z = 0; z < 7; ++z) {
    for (std::int64_t x = 0; x < 12; ++x) {
      for (std::int64_t y = 0; y < 20; ++y) {
        const double d =
            std::hypot(2.0 * static_cast<double>(z - 3), 0.5 * static_cast<double>(x - 5),
                       0.5 * static_cast<double>(y - 10));
        EXPECT_EQ(erased->labels.values[static_cast<std::size_t>((z * 12 + x) * 20 + y)],
                  d <= 2.0 ? 0U : p.at(z, x, y));
      }
    }
  }
  // In the slice, and in one more on either side: discs of 13 pixels.
  for (const std::int64_t slices : {0, 1}) {
    Correction disc{CorrectionAction::paint, {{3, 5, 13}, {3, 5, 17}}, 1.0, slices};
    const auto drawn = made(p, disc);
    ASSERT_TRUE(drawn.ok());
    // Six pixels of the second disc and of the first lie beyond the cell: y 15; y 15 to 19.
    EXPECT_EQ(count(drawn->labels, 8), 5 * 8 * 6 + (2 * slices + 1) * 13);
  }
}

}  // namespace
}  // namespace aprscope
