#include "core/projections/symmetry.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

struct Expected {
  std::string name;
  std::size_t order, cosets;
};

// Whether the group turns by 1 ÷ fold about the axis: such a rotation leaves it where it is and has
// the trace 1 + 2 cos(2π ÷ fold).
bool has_axis(const SymmetryGroup& group, const Vector3& axis, int fold) {
  return std::any_of(group.rotations.begin(), group.rotations.end(), [&](const Rotation& rotation) {
    const Vector3 turned = rotation * axis;
    double trace = 0.0;
    double moved = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      trace += rotation.rows[i][i];
      moved = std::max(moved, std::abs(turned[i] - axis[i]));
    }
    return moved < 2e-4 && std::abs(trace - 1 - 2 * std::cos(2 * std::numbers::pi / fold)) < 1e-4;
  });
}

TEST(Symmetry, OrdersAndCosets) {
  const std::vector<Expected> all = {
      {"C1", 1, 1}, {"C2", 2, 1},  {"C4", 4, 1},  {"C3", 3, 3},   {"c7", 7, 7},   {"C6", 6, 3},
      {"D2", 4, 1}, {"D4", 8, 1},  {"D3", 6, 3},  {"D7", 14, 7},  {"D6", 12, 3},  {"T", 12, 12},
      {"O", 24, 1}, {"I1", 60, 5}, {"I2", 60, 5}, {"I3", 60, 30}, {"I4", 60, 30}, {"I", 60, 5}};
  for (const Expected& expected : all) {
    const auto group = symmetry_group(expected.name);
    ASSERT_TRUE(group.ok()) << expected.name;
    EXPECT_EQ(group->rotations.size(), expected.order) << expected.name;
    // D3 … turn about x onto the grid: two of them are permutations.
    EXPECT_EQ(group->cosets.size() * group->aligned.size(), expected.order) << expected.name;
    EXPECT_EQ(group->cosets.size(), expected.cosets) << expected.name;
  }
}

TEST(Symmetry, AxesLieWhereRelionHasThem) {
  const auto axis = [](const char* name, const Vector3& v, int fold) {
    return has_axis(*symmetry_group(name), v, fold);
  };
  EXPECT_TRUE(axis("C7", {0, 0, 1}, 7));
  EXPECT_TRUE(axis("D7", {1, 0, 0}, 2));
  EXPECT_TRUE(axis("T", {0, 0, 1}, 3));
  EXPECT_TRUE(axis("T", {0, .8165, .5774}, 2));
  EXPECT_TRUE(axis("O", {0, 0, 1}, 4));
  EXPECT_TRUE(axis("O", {.57735, .57735, .57735}, 3));
  EXPECT_TRUE(axis("I1", {1, 0, 0}, 2));
  EXPECT_TRUE(axis("I1", {.8507, 0, -.5257}, 5));
  EXPECT_TRUE(axis("I1", {.9342, .3568, 0}, 3));
  EXPECT_TRUE(axis("I2", {0, 0, 1}, 2));
  EXPECT_TRUE(axis("I2", {.5257, 0, .8507}, 5));
  EXPECT_TRUE(axis("I2", {0, .3568, .9342}, 3));
  EXPECT_FALSE(axis("I2", {.3568, 0, .9342}, 3));
  EXPECT_TRUE(axis("I3", {-.5257, 0, .8507}, 2));
  EXPECT_TRUE(axis("I3", {0, 0, 1}, 5));
  EXPECT_TRUE(axis("I3", {-.4911, .3568, .7947}, 3));
  EXPECT_TRUE(axis("I4", {.5257, 0, .8507}, 2));
  EXPECT_TRUE(axis("I4", {.8944, 0, .4472}, 5));
  EXPECT_TRUE(axis("I4", {.4911, .3568, .7947}, 3));
}

TEST(Symmetry, CosetsTimesPermutationsAreTheGroup) {
  for (const char* name : {"C6", "D7", "T", "I2", "I4"}) {
    const auto group = symmetry_group(name);
    ASSERT_TRUE(group.ok());
    std::size_t found = 0;
    for (const Rotation& rotation : group->rotations) {
      found += static_cast<std::size_t>(
          std::any_of(group->cosets.begin(), group->cosets.end(), [&](const Rotation& coset) {
            return std::any_of(
                group->aligned.begin(), group->aligned.end(), [&](const GridRotation& aligned) {
                  // On three numbers that tell all rotations apart.
                  const std::array<std::int64_t, 3> v{1, 2, 5};
                  const auto t = aligned(v);
                  const Vector3 a =
                      coset * Vector3{static_cast<double>(t[0]), static_cast<double>(t[1]),
                                      static_cast<double>(t[2])};
                  const Vector3 b = rotation * Vector3{1, 2, 5};
                  return std::abs(a[0] - b[0]) + std::abs(a[1] - b[1]) + std::abs(a[2] - b[2]) <
                         1e-9;
                });
          }));
    }
    EXPECT_EQ(found, group->rotations.size()) << name;
  }
}

TEST(Symmetry, OtherNamesAreErrors) {
  for (const char* name : {"", "C", "C0", "D101", "C4x", "I5", "K", "-"}) {
    const auto group = symmetry_group(name);
    ASSERT_FALSE(group.ok()) << name;
    EXPECT_NE(group.error().message().find("symmetry"), std::string::npos);
  }
}

}  // namespace
}  // namespace aprscope
