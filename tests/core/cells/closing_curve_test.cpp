// What is enclosed against the closing radius, of shells with holes of known radius.
#include "core/cells/closing_curve.hpp"

#include <gtest/gtest.h>

#include "tests/core/cells/phantoms.hpp"

namespace aprscope {
namespace {

using test::Point;

// A shell with a round hole of this radius along z.
Pixels<std::uint8_t> shell(double hole) {
  return test::phantom({41, 41, 41}, {}, 5, [&](const Point& p) {
    const bool in_hole = p[0] > 0.0 && std::hypot(p[1], p[2]) < hole;
    return test::in_shell(p, 12.0, 14.5) && !in_hole;
  });
}

TEST(ClosingCurve, EachPointIsTheFillingWithItsRadius) {
  const auto mask = shell(2.0);
  const std::vector<double> radii{0.0, 1.0, 2.5, 3.0};
  const auto curve = closing_curve(mask, {}, radii, Connectivity::corners);
  ASSERT_TRUE(curve.ok());
  ASSERT_EQ(curve->size(), radii.size());
  for (std::size_t i = 0; i < radii.size(); ++i) {
    const auto parts = close_and_fill(mask, {}, radii[i], Connectivity::corners);
    ASSERT_TRUE(parts.ok());
    const auto count = [&](CellPart part) {
      return std::count(parts->values.begin(), parts->values.end(), static_cast<int>(part));
    };
    const ClosedCells& one = (*curve)[i];
    EXPECT_EQ(one.radius, radii[i]);
    EXPECT_EQ(one.enclosed, count(CellPart::lumen));
    EXPECT_EQ(one.pixels, count(CellPart::lumen) + count(CellPart::membrane));
    EXPECT_EQ(one.cells, one.enclosed > 0 ? 1 : 0);
  }
}

TEST(ClosingCurve, BecomesLevelWhereTheHoleIsClosed) {
  for (const double hole : {1.5, 3.0}) {
    SCOPED_TRACE(hole);
    std::vector<double> radii;
    for (int i = 0; i <= 12; ++i) radii.push_back(0.5 * i);
    const auto curve = closing_curve(shell(hole), {}, radii, Connectivity::corners);
    ASSERT_TRUE(curve.ok());
    const auto start = start_of_plateau(*curve, 2.0);
    ASSERT_TRUE(start.has_value());
    // A hole on a grid is half a pixel wider or narrower than its radius.
    EXPECT_NEAR(radii[*start], hole, 1.0);
    // From there on the ball is full: 4π/3 · 12³ and the hole itself, to a hundredth.
    const double ball = 4.0 / 3.0 * 3.14159265358979 * 12.0 * 12.0 * 12.0;
    EXPECT_NEAR(static_cast<double>((*curve)[*start].enclosed), ball, 0.02 * ball);
    EXPECT_EQ((*curve)[*start].cells, 1);
  }
}

TEST(ClosingCurve, ItsPlateauIsTheLongestLevelStretch) {
  const auto start = [](std::initializer_list<std::int64_t> enclosed, double least = 1.0) {
    std::vector<ClosedCells> curve;
    for (const std::int64_t one : enclosed) {
      curve.push_back({static_cast<double>(curve.size()), one, one, 1});
    }
    return start_of_plateau(curve, least);
  };
  EXPECT_EQ(start({0, 0, 0}), std::nullopt);
  EXPECT_EQ(start({1000, 1200, 1500}), std::nullopt);
  EXPECT_EQ(start({}), std::nullopt);
  EXPECT_EQ(start({1000, 1000, 1200}), 0U);
  EXPECT_EQ(start({500, 500, 700, 1000, 1010, 1005}), 3U);
  // Of two as long the first; nothing enclosed is no plateau, however long.
  EXPECT_EQ(start({0, 0, 0, 500, 500, 900, 900}), 3U);
  // Nor is one that is too short.
  EXPECT_EQ(start({500, 500, 900, 900, 900}, 2.0), 2U);
  EXPECT_EQ(start({500, 500, 900, 900, 900}, 3.0), std::nullopt);
}

TEST(ClosingCurve, CountsOnlyWhatEnclosesSomething) {
  Pixels<std::uint8_t> mask({1, 12, 24});
  // A ring, and a speck beside it.
  for (std::int64_t i = 2; i <= 8; ++i) {
    mask.at(0, 2, i) = mask.at(0, 8, i) = mask.at(0, i, 2) = mask.at(0, i, 8) = 1;
  }
  mask.at(0, 5, 16) = 1;
  const auto curve = closing_curve(mask, {}, std::vector<double>{0.0}, Connectivity::corners);
  ASSERT_TRUE(curve.ok());
  EXPECT_EQ(curve->front(), (ClosedCells{0.0, 24 + 25 + 1, 25, 1}));
}

}  // namespace
}  // namespace aprscope
