#include "core/cells/label_cleaning.hpp"

#include <map>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "tests/core/cells/label_phantoms.hpp"

namespace aprscope {
namespace {

Labels cleaned_of(const Pixels<std::uint32_t>& p, const Cleaning& how,
                  const VoxelSize& voxel = {}) {
  const auto records = label_records(test::view(p), {});
  auto got = cleaned(test::labels_of(p), *records, p.size, voxel, how);
  EXPECT_TRUE(got.ok());
  return got ? *std::move(got) : Labels{};
}

// By definition.
std::vector<std::uint32_t> majority(const Pixels<std::uint32_t>& p) {
  std::vector<std::uint32_t> out;
  for (std::int64_t z = 0; z < p.size.z; ++z) {
    for (std::int64_t x = 0; x < p.size.x; ++x) {
      for (std::int64_t y = 0; y < p.size.y; ++y) {
        std::map<std::uint32_t, int> votes;
        for (std::int64_t i = 0; i < 27; ++i) {
          const std::int64_t nz = z + i / 9 - 1;
          const std::int64_t nx = x + i / 3 % 3 - 1;
          const std::int64_t ny = y + i % 3 - 1;
          if (nz >= 0 && nz < p.size.z && nx >= 0 && nx < p.size.x && ny >= 0 && ny < p.size.y) {
            ++votes[p.at(nz, nx, ny)];
          }
        }
        std::uint32_t best = p.at(z, x, y);
        for (const auto& [label, n] : votes) {
          if (n > votes[best]) best = label;
        }
        out.push_back(best);
      }
    }
  }
  return out;
}

TEST(LabelCleaning, SmoothsByMajority) {
  std::mt19937 random(7);
  for (const Size3 size : {Size3{5, 9, 11}, Size3{1, 12, 13}}) {
    auto p = test::painted(size, [&](auto, auto, auto) { return random() % 4; });
    const auto once = majority_smoothed(test::view(p), 1);
    ASSERT_TRUE(once.ok());
    EXPECT_EQ(*once, majority(p));
    const auto twice = majority_smoothed(test::view(p), 2);
    p.values = *once;
    ASSERT_TRUE(twice.ok());
    EXPECT_EQ(*twice, majority(p));
    EXPECT_EQ(*majority_smoothed(test::view(p), 0), p.values);
  }
}

// Boxes: one of 27, one of 8 with a one-pixel object in the middle of the larger hollow one, and
// one at the border.
Pixels<std::uint32_t> boxes() {
  return test::painted({9, 9, 20}, [](auto z, auto x, auto y) -> std::uint32_t {
    const auto far = std::max({std::abs(z - 4), std::abs(x - 4), std::abs(y - 5)});
    if (far == 2) return 7;
    if (far == 0) return 5;
    if (z >= 2 && z < 4 && x >= 2 && x < 4 && y >= 10 && y < 12) return 4;
    return y == 19 ? 9 : 0;
  });
}

TEST(LabelCleaning, DropsWhatIsSmallInTheUnit) {
  const auto p = boxes();
  Cleaning how;
  how.least_volume = 8.0 * 0.25;
  Labels got = cleaned_of(p, how, {1.0, 0.5, 0.5, "µm"});
  EXPECT_EQ(std::count(got.values.begin(), got.values.end(), 5U), 0);
  EXPECT_EQ(std::count(got.values.begin(), got.values.end(), 4U), 8);
  how.least_volume *= 1.001;
  got = cleaned_of(p, how, {1.0, 0.5, 0.5, "µm"});
  EXPECT_EQ(std::count(got.values.begin(), got.values.end(), 4U), 0);
  EXPECT_EQ(std::count(got.values.begin(), got.values.end(), 7U), 98);
}

TEST(LabelCleaning, DropsWhatTouchesTheBorder) {
  Cleaning how;
  how.drop_border = true;
  how.relabel = true;
  const Labels got = cleaned_of(boxes(), how);
  EXPECT_EQ(got.largest, 3U);
  EXPECT_EQ(std::count(got.values.begin(), got.values.end(), 0U), 9 * 9 * 20 - 98 - 1 - 8);
}

TEST(LabelCleaning, FillsHolesOnceWhatIsInThemIsDropped) {
  Cleaning how;
  how.fill_holes = true;
  Labels got = cleaned_of(boxes(), how);
  EXPECT_EQ(std::count(got.values.begin(), got.values.end(), 7U), 124);
  EXPECT_EQ(std::count(got.values.begin(), got.values.end(), 5U), 1);
  how.least_volume = 2.0;
  got = cleaned_of(boxes(), how);
  EXPECT_EQ(std::count(got.values.begin(), got.values.end(), 7U), 125);
}

TEST(LabelCleaning, OfNestedShellsTheInnerOneHasItsHole) {
  const auto p = test::painted({11, 11, 11}, [](auto z, auto x, auto y) -> std::uint32_t {
    const auto far = std::max({std::abs(z - 5), std::abs(x - 5), std::abs(y - 5)});
    return far == 4 ? 1 : far == 2 ? 2 : 0;
  });
  Cleaning how;
  how.fill_holes = true;
  for (const int threads : {1, 2}) {
    set_thread_count(threads);
    const Labels got = cleaned_of(p, how);
    EXPECT_EQ(std::count(got.values.begin(), got.values.end(), 2U), 125);
    EXPECT_EQ(std::count(got.values.begin(), got.values.end(), 1U), 729 - 125);
  }
  set_thread_count(0);
}

TEST(LabelCleaning, WhatIsKnownStaysWithObjectsThatStay) {
  const auto p = boxes();
  Labels labels = test::labels_of(p);
  for (const std::uint32_t l : {4U, 5U, 7U}) {
    LabelFinding one;
    one.label = l;
    one.most_open_slice = l;
    labels.findings.push_back(one);
  }
  Cleaning how;
  how.least_volume = 2.0;
  how.fill_holes = true;
  const auto records = label_records(test::view(p), {});
  const auto got = cleaned(labels, *records, p.size, {}, how);
  ASSERT_TRUE(got.ok());
  ASSERT_EQ(got->findings.size(), 1U);
  EXPECT_EQ(got->findings.front().label, 4U);
}

}  // namespace
}  // namespace aprscope
