#include "core/projections/asymmetric_unit.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

const std::vector<std::string>& names() {
  static const std::vector<std::string> all{"C1", "C2", "C3", "C8", "C100", "D1", "D2",
                                            "D7", "T",  "O",  "I1", "I2",   "I3", "I4"};
  return all;
}

SymmetryGroup group_named(const std::string& name) {
  const auto group = symmetry_group(name);
  EXPECT_TRUE(group) << name;
  return group ? *group : SymmetryGroup{};
}

// Spread evenly; none of them lies on a side of a unit.
std::vector<Vector3> directions(int count) {
  std::vector<Vector3> all;
  for (int i = 0; i < count; ++i) {
    const double z = 1.0 - (2.0 * i + 1.0) / count;
    const double rot = 2.39996322972865332 * (i + 0.37);
    const double across = std::sqrt(1.0 - z * z);
    all.push_back({across * std::cos(rot), across * std::sin(rot), z});
  }
  return all;
}

TEST(AsymmetricUnit, HasOneCopyOfEachDirection) {
  for (const std::string& name : names()) {
    const SymmetryGroup group = group_named(name);
    const AsymmetricUnit unit(group);
    for (const Vector3& direction : directions(1000)) {
      const auto copies = std::count_if(
          group.rotations.begin(), group.rotations.end(),
          [&](const Rotation& rotation) { return unit.contains(rotation * direction); });
      ASSERT_EQ(copies, 1) << name << ": " << direction[0] << ' ' << direction[1] << ' '
                           << direction[2];
    }
  }
}

// Cells are of equal area.
TEST(AsymmetricUnit, IsItsShareOfTheSphere) {
  constexpr int kRows = 400;
  constexpr int kColumns = 800;
  for (const std::string& name : names()) {
    const SymmetryGroup group = group_named(name);
    const std::vector<bool> cells = asymmetric_unit(group, kRows, kColumns);
    ASSERT_EQ(cells.size(), std::size_t{kRows} * kColumns);
    const auto inside = static_cast<double>(std::count(cells.begin(), cells.end(), true));
    const double expected = kRows * kColumns / static_cast<double>(group.rotations.size());
    EXPECT_NEAR(inside, expected, 0.02 * expected) << name;
  }
}

TEST(AsymmetricUnit, OfNoSymmetryIsEverything) {
  for (const SymmetryGroup& group : {SymmetryGroup{}, group_named("C1")}) {
    const std::vector<bool> cells = asymmetric_unit(group, 10, 20);
    EXPECT_EQ(std::count(cells.begin(), cells.end(), true), 200);
  }
}

TEST(AsymmetricUnit, OfAnAxisThroughZIsAWedge) {
  // 70 columns: a seventh of the turn is ten of them, five on each side of the middle.
  const std::vector<bool> cells = asymmetric_unit(group_named("D7"), 18, 70);
  for (std::size_t row = 0; row < 18; ++row) {
    for (std::size_t column = 0; column < 70; ++column) {
      EXPECT_EQ(cells[row * 70 + column], row < 9 && column >= 30 && column < 40)
          << row << ' ' << column;
    }
  }
}

TEST(AsymmetricUnit, DoesNotReachTheEndsOfRot) {
  for (const std::string& name : names()) {
    if (name == "C1") continue;
    const AsymmetricUnit unit(group_named(name));
    for (int i = 1; i < 180; ++i) {
      const double tilt = i * std::numbers::pi / 180.0;
      // D1 turns about x: its unit is the upper half.
      if (name == "D1" && i <= 90) continue;
      EXPECT_FALSE(unit.contains({-std::sin(tilt), 0.0, std::cos(tilt)})) << name << ' ' << i;
    }
  }
}

}  // namespace
}  // namespace aprscope
