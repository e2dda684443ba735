#include "core/cells/suspicion.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

// Ordinary cells of about the same size and shape.
std::vector<LabelRow> ordinary(std::size_t count) {
  std::vector<LabelRow> rows(count);
  for (std::size_t i = 0; i < count; ++i) {
    rows[i].label = static_cast<std::uint32_t>(i + 1);
    rows[i].voxels = 1000;
    rows[i].shape.volume = 100.0 + static_cast<double>(i % 7);
    rows[i].shape.sphericity = 0.8 + 0.01 * static_cast<double>(i % 5);
    rows[i].per_slice_ratio = 1.0;
    rows[i].finding.leak_radius = 0.0;
  }
  return rows;
}

TEST(Suspicion, OrdinaryCellsAreNone) { EXPECT_TRUE(suspicions(ordinary(40)).empty()); }

TEST(Suspicion, EachReasonHasItsWord) {
  auto rows = ordinary(40);
  rows[3].finding.leak_radius = 0.4;
  rows[5].shape.touches_border = true;
  rows[7].shape.volume = 3000.0;
  rows[9].shape.volume = 3.0;
  rows[11].shape.sphericity = 0.3;
  rows[13].per_slice_ratio = 0.6;
  std::vector<double> walls(rows.size(), 1.0);
  walls[15] = 0.2;
  walls[17] = std::nan("");
  const auto found = suspicions(rows, walls);
  ASSERT_EQ(found.size(), 7U);
  EXPECT_EQ(found.front().label, 4U);
  const auto reason = [&](std::uint32_t label) {
    for (const Suspicion& one : found) {
      if (one.label == label) return one.reason;
    }
    return std::string();
  };
  EXPECT_EQ(reason(4), "leaks");
  EXPECT_EQ(reason(6), "border");
  EXPECT_EQ(reason(8), "odd volume");
  EXPECT_EQ(reason(10), "odd volume");
  EXPECT_EQ(reason(12), "low sphericity");
  EXPECT_EQ(reason(14), "open");
  EXPECT_EQ(reason(16), "weak walls");
  EXPECT_EQ(found.back().label, 6U);
  for (std::size_t i = 1; i < found.size(); ++i) EXPECT_LE(found[i].score, found[i - 1].score);
}

TEST(Suspicion, FindingsThatAreNotKnownAreNoReason) {
  auto rows = ordinary(10);
  for (LabelRow& row : rows) {
    row.finding.leak_radius = std::nan("");
    row.per_slice_ratio = std::nan("");
  }
  EXPECT_TRUE(suspicions(rows).empty());
}

}  // namespace
}  // namespace aprscope
