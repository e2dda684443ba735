// Labels that grow, shrink and are filled, pixel by pixel.
#include "core/cells/correction_growth.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/core/cells/correction_cases.hpp"

namespace aprscope {
namespace {

using test::boxes;
using test::count;
using test::made;

// By distances between all pairs of pixels.
TEST(CorrectionGrowth, GrowsAndShrinksByMicrometres) {
  const auto p = test::tissue({6, 14, 15}, 9, 13);
  const auto radii = {0.5, 0.8, 1.6, 2.0, 2.1};
  for (const double r : radii) {
    for (const bool grows : {true, false}) {
      const Index3 at{3, 7, 7};
      const std::uint32_t label = p.at(at.z, at.x, at.y);
      ASSERT_NE(label, 0U);
      auto want = p;
      for (std::int64_t z = 0; z < p.size.z; ++z) {
        for (std::int64_t x = 0; x < p.size.x; ++x) {
          for (std::int64_t y = 0; y < p.size.y; ++y) {
            const bool mine = p.at(z, x, y) == label;
            if (grows ? p.at(z, x, y) != 0 : !mine) continue;
            bool near = false;
            for (std::int64_t i = 0; i < p.size.count(); ++i) {
              const std::int64_t oz = i / p.size.y / p.size.x;
              const std::int64_t ox = i / p.size.y % p.size.x;
              const std::int64_t oy = i % p.size.y;
              if ((p.at(oz, ox, oy) == label) != grows) continue;
              const double d =
                  std::hypot(2.0 * static_cast<double>(z - oz), 0.5 * static_cast<double>(x - ox),
                             0.5 * static_cast<double>(y - oy));
              near = near || d <= r + 1e-9;
            }
            if (near) want.at(z, x, y) = grows ? label : 0;
          }
        }
      }
      const auto got =
          made(p, {grows ? CorrectionAction::grow : CorrectionAction::shrink, {at}, r});
      if (!got) {
        // Nothing to grow into, or nothing left.
        EXPECT_TRUE(want.values == p.values ||
                    std::count(want.values.begin(), want.values.end(), label) == 0)
            << got.error().message();
        continue;
      }
      EXPECT_EQ(got->labels.values, want.values) << r << grows;
    }
  }
}

TEST(CorrectionGrowth, FillsHoles) {
  const auto p = boxes();
  const auto filled = made(p, {CorrectionAction::fill_holes, {{2, 4, 4}}});
  ASSERT_TRUE(filled.ok());
  EXPECT_EQ(count(filled->labels, 3), 5 * 8 * 7);
}

}  // namespace
}  // namespace aprscope
