#include "core/projections/orientation.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "core/projections/projection_table.hpp"

namespace aprscope {
namespace {

// Values worked out by hand with six digits for A(30°, 60°, 45°).
TEST(Orientation, RowsAreTheAxesOfTheImageAndTheViewingDirection) {
  const Rotation a = from_euler(30, 60, 45);
  const Rotation expected{
      {{{-.047367, .789149, -.612372}, {-.659740, .435596, .612372}, {.750000, .433013, .500000}}}};
  EXPECT_LT(a.distance(expected), 1e-6);
  EXPECT_LT((a * a.transposed()).distance(Rotation{}), 1e-14);
}

// Mirroring an image turns its x axis round and looks from the other side.
TEST(Orientation, OfAMirroredImageIsThatOfTheImageMirroredBack) {
  Projection projection;
  projection.rot = 30;
  projection.tilt = 60;
  projection.psi = 45;
  const Rotation straight = orientation_of(projection);
  projection.mirrored = true;
  const Rotation mirrored = orientation_of(projection);
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_NEAR(mirrored.rows[2][j], -straight.rows[2][j], 1e-12);
    EXPECT_NEAR(std::abs(mirrored.rows[0][j]), std::abs(straight.rows[0][j]), 1e-12);
    EXPECT_NEAR(mirrored.rows[0][j] * mirrored.rows[1][j],
                -straight.rows[0][j] * straight.rows[1][j], 1e-12);
  }
}

}  // namespace
}  // namespace aprscope
