// Size and shape against closed forms.
#include "core/cells/label_shape.hpp"

#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "core/cells/label_row.hpp"
#include "tests/core/cells/label_phantoms.hpp"

namespace aprscope {
namespace {

constexpr double kPi = std::numbers::pi;

std::vector<LabelRow> rows_of(const Pixels<std::uint32_t>& labels, const VoxelSize& voxel) {
  const auto records = label_records(test::view(labels), {});
  EXPECT_TRUE(records.ok());
  return label_rows(*records, {}, labels.size, voxel);
}

LabelShape shape_of(const Pixels<std::uint32_t>& labels, const VoxelSize& voxel) {
  const auto rows = rows_of(labels, voxel);
  EXPECT_EQ(rows.size(), 1U);
  return rows.front().shape;
}

TEST(LabelShape, OfBallsAtRandomOffsets) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> offset(0.0, 1.0);
  const VoxelSize voxel{1, 1, 1, "µm"};
  for (const auto& [r, volume, surface] : {std::tuple{10.0, 0.005, 0.013}, {20.0, 0.004, 0.005}}) {
    for (int i = 0; i < 4; ++i) {
      const auto n = static_cast<std::int64_t>(2 * r + 6);
      const LabelShape got = shape_of(
          test::ellipsoid({n, n, n}, voxel,
                          {r + 2 + offset(random), r + 2 + offset(random), r + 2 + offset(random)},
                          {r, r, r}),
          voxel);
      const double v = 4.0 / 3.0 * kPi * r * r * r;
      EXPECT_NEAR(got.volume / v, 1.0, volume) << r;
      EXPECT_NEAR(got.surface / (4.0 * kPi * r * r), 1.0, surface) << r;
      EXPECT_NEAR(got.diameter / (2.0 * r), 1.0, volume);
      EXPECT_NEAR(got.sphericity, 1.0, 2.0 * surface);
      EXPECT_EQ(got.euler, 1);
      for (const double a : got.semi_axes) EXPECT_NEAR(a / r, 1.0, 0.1 / r);
      EXPECT_NEAR(got.elongation, 1.0, 0.01);
      EXPECT_NEAR(got.breadth / (2.0 * r), 1.0, 0.06);
      EXPECT_FALSE(got.touches_border);
    }
  }
}

TEST(LabelShape, OfAnEllipsoidOfUnequalVoxels) {
  std::mt19937 random(6);
  std::uniform_real_distribution<double> offset(0.0, 1.0);
  const VoxelSize voxel{0.4, 0.1, 0.1, "µm"};
  // Semi-axes along z, x, y.
  const std::array<double, 3> a{3.2, 1.5, 2.4};
  const double p = 1.6075;  // Thomsen's approximation of the surface, within 1.1 %.
  const double surface =
      4.0 * kPi *
      std::pow(
          (std::pow(a[0] * a[1], p) + std::pow(a[0] * a[2], p) + std::pow(a[1] * a[2], p)) / 3.0,
          1.0 / p);
  for (int i = 0; i < 3; ++i) {
    const std::array<double, 3> centre{3.8 + 0.4 * offset(random), 1.8 + 0.1 * offset(random),
                                       2.7 + 0.1 * offset(random)};
    const LabelShape got = shape_of(test::ellipsoid({20, 38, 56}, voxel, centre, a), voxel);
    EXPECT_NEAR(got.volume / (4.0 / 3.0 * kPi * a[0] * a[1] * a[2]), 1.0, 0.005);
    // Thirteen directions of flat voxels see the sphere less evenly than those of cubes.
    EXPECT_NEAR(got.surface / surface, 1.0, 0.045);
    // Voxels of 0.4 add 0.4² / 12 to a variance of 3.2² / 5.
    EXPECT_NEAR(got.semi_axes[0] / 3.2, 1.0, 0.01);
    EXPECT_NEAR(got.semi_axes[1] / 2.4, 1.0, 0.006);
    EXPECT_NEAR(got.semi_axes[2] / 1.5, 1.0, 0.006);
    EXPECT_NEAR(std::abs(got.elevation), 90.0, 1.0);
    EXPECT_NEAR(got.centroid[0] * 0.4, centre[0], 0.02);
    EXPECT_NEAR(got.centroid[1] * 0.1, centre[1], 0.01);
    EXPECT_NEAR(got.centroid[2] * 0.1, centre[2], 0.01);
  }
}

TEST(LabelShape, OfABoxExactly) {
  const auto p = test::painted({9, 12, 20}, [](auto z, auto x, auto y) -> std::uint32_t {
    return z >= 2 && z < 5 && x >= 3 && x < 10 && y >= 1 && y < 12 ? 8 : 0;
  });
  const VoxelSize voxel{4, 0.5, 2, "µm"};
  const LabelShape got = shape_of(p, voxel);
  const double a = 3 * 4.0;
  const double b = 7 * 0.5;
  const double c = 11 * 2.0;
  EXPECT_EQ(got.volume, a * b * c);
  EXPECT_EQ(got.digital_surface, 2.0 * (a * b + a * c + b * c));
  EXPECT_EQ(got.digital_breadth, (a + b + c) / 2.0);
  EXPECT_EQ(got.euler, 1);
  EXPECT_EQ(got.centroid, (std::array<double, 3>{3.0, 6.0, 6.0}));
  EXPECT_NEAR(got.semi_axes[0], c * std::sqrt(5.0 / 12.0), 1e-12);
  EXPECT_NEAR(got.semi_axes[1], a * std::sqrt(5.0 / 12.0), 1e-12);
  EXPECT_NEAR(got.semi_axes[2], b * std::sqrt(5.0 / 12.0), 1e-12);
  EXPECT_EQ(got.azimuth, 0.0);
  EXPECT_EQ(got.elevation, 0.0);
  EXPECT_FALSE(got.touches_border);
}

TEST(LabelShape, EulerNumberOfARingAndOfAHollowBox) {
  const auto ring = test::painted({3, 7, 7}, [](auto z, auto x, auto y) -> std::uint32_t {
    return z == 1 && std::max(std::abs(x - 3), std::abs(y - 3)) == 2 ? 1 : 0;
  });
  EXPECT_EQ(shape_of(ring, {}).euler, 0);
  const auto hollow = test::painted({7, 7, 7}, [](auto z, auto x, auto y) -> std::uint32_t {
    return std::max({std::abs(z - 3), std::abs(x - 3), std::abs(y - 3)}) == 2 ? 1 : 0;
  });
  EXPECT_EQ(shape_of(hollow, {}).euler, 2);
}

TEST(LabelShape, OfADiscInOneSlice) {
  const VoxelSize voxel{7, 0.5, 0.5, "µm"};
  const auto disc = test::painted({1, 90, 90}, [](auto, auto x, auto y) -> std::uint32_t {
    const double dx = static_cast<double>(x) - 44.3;
    const double dy = static_cast<double>(y) - 44.8;
    return dx * dx + dy * dy <= 1600.0 ? 1 : 0;
  });
  const LabelShape got = shape_of(disc, voxel);
  EXPECT_NEAR(got.volume / (kPi * 400.0), 1.0, 0.003);
  EXPECT_NEAR(got.surface / (2.0 * kPi * 20.0), 1.0, 0.01);
  EXPECT_NEAR(got.sphericity, 1.0, 0.02);
  EXPECT_NEAR(got.diameter, 40.0, 0.1);
  EXPECT_NEAR(got.semi_axes[0], 20.0, 0.1);
  EXPECT_NEAR(got.semi_axes[1], 20.0, 0.1);
  EXPECT_TRUE(std::isnan(got.semi_axes[2]));
  EXPECT_EQ(got.euler, 1);
  EXPECT_FALSE(got.touches_border);
}

TEST(LabelShape, AnglesOfARodInTheSlice) {
  const auto rod = test::painted({5, 60, 60}, [](auto z, auto x, auto y) -> std::uint32_t {
    // 30° from y towards x.
    const double u =
        static_cast<double>(y - 30) * std::cos(kPi / 6) + static_cast<double>(x - 30) * 0.5;
    const double v =
        static_cast<double>(x - 30) * std::cos(kPi / 6) - static_cast<double>(y - 30) * 0.5;
    return z == 2 && std::abs(u) < 25.0 && std::abs(v) < 3.0 ? 1 : 0;
  });
  const LabelShape got = shape_of(rod, {});
  EXPECT_NEAR(got.azimuth, 30.0, 1.0);
  EXPECT_NEAR(got.elevation, 0.0, 1e-9);
}

TEST(LabelShape, PermutedAxesPermuteTheNumbers) {
  const Size3 size{14, 17, 23};
  const auto p = test::tissue(size, 9, 8);
  const VoxelSize voxel{0.7, 1.3, 2.1, "µm"};
  const auto turned =
      test::painted({23, 14, 17}, [&](auto z, auto x, auto y) { return p.at(x, y, z); });
  const auto rows = rows_of(p, voxel);
  const auto other = rows_of(turned, {2.1, 0.7, 1.3, "µm"});
  ASSERT_EQ(rows.size(), other.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const LabelShape& a = rows[i].shape;
    const LabelShape& b = other[i].shape;
    EXPECT_EQ(rows[i].voxels, other[i].voxels);
    EXPECT_NEAR(a.volume, b.volume, 1e-12 * a.volume);
    EXPECT_NEAR(a.surface, b.surface, 1e-9 * a.surface);
    EXPECT_NEAR(a.digital_surface, b.digital_surface, 1e-12 * a.digital_surface);
    EXPECT_NEAR(a.breadth, b.breadth, 1e-9);
    EXPECT_EQ(a.euler, b.euler);
    EXPECT_NEAR(a.centroid[2], b.centroid[0], 1e-12);
    EXPECT_NEAR(a.centroid[0], b.centroid[1], 1e-12);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(a.semi_axes[k], b.semi_axes[k], 1e-9);
    EXPECT_NEAR(rows[i].shared_surface, other[i].shared_surface, 1e-12);
    EXPECT_EQ(rows[i].neighbours, other[i].neighbours);
    EXPECT_EQ(a.touches_border, b.touches_border);
  }
}

TEST(LabelShape, VoxelsTwiceAsLargeScaleExactly) {
  const auto p = test::tissue({14, 17, 23}, 9, 8);
  const auto small = rows_of(p, {0.7, 1.3, 2.1, "µm"});
  const auto large = rows_of(p, {1.4, 2.6, 4.2, "µm"});
  for (std::size_t i = 0; i < small.size(); ++i) {
    EXPECT_EQ(8.0 * small[i].shape.volume, large[i].shape.volume);
    EXPECT_EQ(4.0 * small[i].shape.surface, large[i].shape.surface);
    EXPECT_EQ(4.0 * small[i].shape.digital_surface, large[i].shape.digital_surface);
    EXPECT_EQ(2.0 * small[i].shape.breadth, large[i].shape.breadth);
  }
}

TEST(LabelShape, ContactsOfPlanesInAnyDirectionAreTheirArea) {
  // Two halves of a block, cut obliquely: the cut is a plane of known area.
  const std::int64_t n = 60;
  const auto p = test::painted({n, n, n}, [&](auto z, auto x, auto y) -> std::uint32_t {
    return 2 * z + x < 90 ? 1 + 0 * static_cast<std::uint32_t>(y) : 2;
  });
  const auto records = label_records(test::view(p), {});
  ASSERT_TRUE(records.ok());
  ASSERT_EQ(records->contacts.size(), 1U);
  // From (z 45, x 0) to (z 15, x 60), times y.
  const double area = std::hypot(30.0, 60.0) * 60.0;
  EXPECT_NEAR(contact_area(records->contacts[0].faces, {}, false) / area, 1.0, 0.01);
}

// Directions of equal voxels stand for equal parts by symmetry, and all for the whole sphere: an
// area of which each direction sees the same is four times that.
TEST(CroftonWeights, AddUpToTheSphere) {
  for (const VoxelSize& voxel : {VoxelSize{1, 1, 1, "µm"}, VoxelSize{5, 1, 0.3, "µm"}}) {
    const CroftonWeights weights(voxel);
    std::array<std::int64_t, 13> one{};
    double sum = 0.0;
    for (std::size_t d = 0; d < 13; ++d) {
      one.fill(0);
      one[d] = 1;
      const auto& s = LabelSums::kDirections[d];
      const double length = std::hypot(s[0] * voxel.z, s[1] * voxel.x, s[2] * voxel.y);
      sum += weights.surface(one) * length / (voxel.z * voxel.x * voxel.y);
    }
    EXPECT_NEAR(sum, 2.0, 1e-9);
  }
  // Ohser and Mücklich give 0.045778, 0.036981 and 0.035196 for one of 26 directions.
  const CroftonWeights cubes({1, 1, 1, "µm"});
  std::array<std::int64_t, 13> one{};
  one[0] = 1;
  EXPECT_NEAR(cubes.surface(one), 4.0 * 0.045778, 1e-5);
  one = {};
  one[3] = 1;
  EXPECT_NEAR(cubes.surface(one), 4.0 * 0.036981 / std::sqrt(2.0), 1e-5);
  one = {};
  one[9] = 1;
  EXPECT_NEAR(cubes.surface(one), 4.0 * 0.035196 / std::sqrt(3.0), 1e-5);
}

}  // namespace
}  // namespace aprscope
