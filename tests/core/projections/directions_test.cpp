#include "core/projections/directions.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

ProjectionTable seen_from(double rot, double tilt) {
  ProjectionTable table;
  Projection row;
  row.rot = rot;
  row.tilt = tilt;
  row.psi = 77.0;
  table.rows.push_back(row);
  return table;
}

double total(const DirectionHistogram& of) {
  return std::accumulate(of.counts.begin(), of.counts.end(), 0.0);
}

TEST(Directions, LieWhereRotAndTiltSay) {
  const DirectionHistogram found = count_directions(seen_from(95.0, 80.0), {});
  EXPECT_EQ(total(found), 1.0);
  // 95° is in the column from 90° to 100° of 36, cos 80° = 0.174 in the eighth band of 18 from 1.
  EXPECT_EQ(found.counts[7 * 36 + 27], 1.0);
}

TEST(Directions, OfASymmetricMoleculeAreThoseOfAllCopies) {
  const auto group = symmetry_group("C4");
  ASSERT_TRUE(group) << group.error().message();
  const DirectionHistogram found = count_directions(seen_from(95.0, 80.0), *group);
  EXPECT_EQ(total(found), 4.0);
  for (const std::size_t column : {0U, 9U, 18U, 27U}) EXPECT_EQ(found.counts[7 * 36 + column], 1.0);
}

// Cells are of equal area: directions that are spread evenly fill them evenly.
TEST(Directions, SpreadEvenlyFillCellsEvenly) {
  ProjectionTable table;
  constexpr int kCount = 64800;
  for (int i = 0; i < kCount; ++i) {
    Projection row;
    row.tilt = std::acos(1.0 - (2.0 * i + 1.0) / kCount) * 180.0 / 3.14159265358979;
    row.rot = std::fmod(i * 137.50776405, 360.0) - 180.0;
    table.rows.push_back(row);
  }
  const DirectionHistogram found = count_directions(table, {});
  for (const double count : found.counts) EXPECT_NEAR(count, 100.0, 20.0);
}

TEST(Directions, LeaveOutWhatIsNotEnabledOrNoNumber) {
  ProjectionTable table = seen_from(10.0, 20.0);
  table.rows[0].enabled = false;
  table.rows.push_back(seen_from(std::nan(""), 20.0).rows[0]);
  EXPECT_EQ(total(count_directions(table, {})), 0.0);
}

}  // namespace
}  // namespace aprscope
