#include "core/apr/structure/linear_access.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

TEST(FinestLevel, CoversTheLargestDimension) {
  EXPECT_EQ(finest_level({1, 1, 1}), 1);
  EXPECT_EQ(finest_level({1, 1, 2}), 1);
  EXPECT_EQ(finest_level({1, 3, 2}), 2);
  EXPECT_EQ(finest_level({128, 64, 1}), 7);
  EXPECT_EQ(finest_level({1, 1, 129}), 8);
  EXPECT_EQ(finest_level({1, 65536, 1}), 16);
}

TEST(LevelGrid, RoundsUp) {
  const Size3 size{5, 1, 9};
  EXPECT_EQ(level_grid(size, 4, 4), size);
  EXPECT_EQ(level_grid(size, 4, 3), (Size3{3, 1, 5}));
  EXPECT_EQ(level_grid(size, 4, 2), (Size3{2, 1, 3}));
  EXPECT_EQ(level_grid(size, 4, 1), (Size3{1, 1, 2}));
  EXPECT_EQ(level_grid(size, 4, 0), (Size3{1, 1, 1}));
}

TEST(RowEntries, AreOneMoreThanTheRowsOfTheLevels) {
  const Size3 size{5, 3, 9};  // grids (z, x) of levels 4 to 0: 5 × 3, 3 × 2, 2 × 1, 1 × 1, 1 × 1
  EXPECT_EQ(row_entries(size, 4, 4, 4), 16U);
  EXPECT_EQ(row_entries(size, 4, 1, 4), 1U + 1 + 2 + 6 + 15);
  EXPECT_EQ(row_entries(size, 4, 0, 3), 1U + 1 + 1 + 2 + 6);
  EXPECT_EQ(row_entries(size, 4, 1, 0), 1U);
  // More than 32 bits hold.
  EXPECT_EQ(row_entries({65536, 65536, 1}, 16, 16, 16), (std::uint64_t{1} << 32U) + 1);
}

// 1 × 2 × 4 pixels: level 2 is 1 × 2 × 4, level 1 is 1 × 1 × 2. One coarse cell over the left half,
// four fine ones over the right.
std::vector<std::uint16_t> good_y() { return {0, 2, 3, 2, 3}; }
std::vector<std::uint64_t> good_rows() { return {0, 1, 3, 5}; }

TEST(LinearAccess, RowsAndLookUp) {
  const auto made = LinearAccess::create({1, 2, 4}, 2, 1, 2, good_y(), good_rows());
  ASSERT_TRUE(made.ok()) << made.error().message();
  EXPECT_EQ(made->count(), 5U);
  EXPECT_EQ(made->grid(1), (Size3{1, 1, 2}));
  EXPECT_EQ(made->row(2, 0, 1).begin, 3U);
  EXPECT_EQ(made->row(2, 0, 1).end, 5U);
  EXPECT_EQ(made->level(1).count(), 1U);
  EXPECT_EQ(made->level(2).begin, 1U);
  EXPECT_EQ(made->find(2, 0, 1, 3), 4U);
  EXPECT_EQ(made->find(1, 0, 0, 0), 0U);
  EXPECT_FALSE(made->find(1, 0, 0, 1).has_value());
  EXPECT_FALSE(made->find(2, 0, 0, 0).has_value());
  EXPECT_EQ(made->bytes(), 5 * 2 + 4 * 8U);
}

struct Bad {
  const char* what;
  Size3 size;
  int level_max;
  std::vector<std::uint16_t> y;
  std::vector<std::uint64_t> rows;
};

class BadLinearAccess : public testing::TestWithParam<Bad> {};

TEST_P(BadLinearAccess, IsRefused) {
  const Bad& bad = GetParam();
  const auto made =
      LinearAccess::create(bad.size, bad.level_max, 1, bad.level_max, bad.y, bad.rows);
  ASSERT_FALSE(made.ok());
  EXPECT_NE(made.error().what, "");
  EXPECT_FALSE(made.error().cancelled());
}

INSTANTIATE_TEST_SUITE_P(
    All, BadLinearAccess,
    testing::Values(Bad{"y descends", {1, 2, 4}, 2, {0, 3, 2, 2, 3}, {0, 1, 3, 5}},
                    Bad{"y repeats", {1, 2, 4}, 2, {0, 2, 2, 2, 3}, {0, 1, 3, 5}},
                    Bad{"y beyond the grid", {1, 2, 4}, 2, {0, 2, 4, 2, 3}, {0, 1, 3, 5}},
                    Bad{"y beyond the coarse grid", {1, 2, 4}, 2, {2, 2, 3, 2, 3}, {0, 1, 3, 5}},
                    Bad{"rows descend", {1, 2, 4}, 2, {0, 2, 3, 2, 3}, {0, 3, 1, 5}},
                    Bad{"rows beyond the cells", {1, 2, 4}, 2, {0, 2, 3, 2, 3}, {0, 1, 9, 5}},
                    Bad{"first row entry not 0", {1, 2, 4}, 2, {0, 2, 3, 2, 3}, {1, 1, 3, 5}},
                    Bad{"rows end early", {1, 2, 4}, 2, {0, 2, 3, 2, 3}, {0, 1, 3, 4}},
                    Bad{"too few rows", {1, 2, 4}, 2, {0, 2, 3, 2, 3}, {0, 1, 5}},
                    Bad{"too many rows", {1, 2, 4}, 2, {0, 2, 3, 2, 3}, {0, 1, 3, 5, 5}},
                    Bad{"no rows", {1, 2, 4}, 2, {}, {}},
                    Bad{"wrong finest level", {1, 2, 4}, 3, {0, 2, 3, 2, 3}, {0, 1, 3, 5}},
                    Bad{"empty size", {0, 2, 4}, 2, {0, 2, 3, 2, 3}, {0, 1, 3, 5}},
                    Bad{"negative size", {1, -2, 4}, 2, {0, 2, 3, 2, 3}, {0, 1, 3, 5}},
                    Bad{"size above 65536", {1, 2, 65537}, 17, {0}, {0, 1}}),
    [](const auto& test) {
      std::string name = test.param.what;
      for (char& c : name) {
        if (c == ' ') c = '_';
      }
      return name;
    });

TEST(LinearAccess, NamesTheOffence) {
  const auto made = LinearAccess::create({1, 2, 4}, 2, 1, 2, {0, 2, 3, 3, 2}, good_rows());
  ASSERT_FALSE(made.ok());
  EXPECT_NE(made.error().message().find("x 1"), std::string::npos) << made.error().message();
  EXPECT_NE(made.error().message().find("level 2"), std::string::npos);
}

TEST(LinearAccess, EqualityIsByValue) {
  const auto a = LinearAccess::create({1, 2, 4}, 2, 1, 2, good_y(), good_rows());
  const auto b = LinearAccess::create({1, 2, 4}, 2, 1, 2, good_y(), good_rows());
  const auto c = LinearAccess::create({1, 2, 4}, 2, 1, 2, {1, 0, 1, 0, 1}, good_rows());
  ASSERT_TRUE(a.ok() && b.ok() && c.ok());
  EXPECT_TRUE(*a == *b);
  EXPECT_FALSE(*a == *c);
}

}  // namespace
}  // namespace aprscope
