// How many rows have which value of a column.
#include "core/data/column_histogram.hpp"

#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

const double kUnknown = std::numeric_limits<double>::quiet_NaN();

TEST(ColumnHistogram, CountsEachKnownValueOnce) {
  const Column column{"volume", "Volume", "µm³",
                      std::vector<double>{1.0, 2.0, 2.4, kUnknown, 5.0, 3.0, 4.99}};
  const auto made = column_histogram(column, 4);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->x.id, "volume");
  EXPECT_EQ(made->x.unit, "µm³");
  EXPECT_EQ(made->x.values, (std::vector<double>{1.0, 2.0, 3.0, 4.0, 5.0}));
  // The largest belongs to the last bin.
  EXPECT_EQ(made->ys[0].values, (std::vector<double>{1.0, 2.0, 1.0, 2.0, 0.0}));
  ASSERT_EQ(made->marks.size(), 1U);
  EXPECT_NEAR(made->marks[0].x, 18.39 / 6.0, 1e-12);
}

TEST(ColumnHistogram, OfWholeNumbersHasNoEmptyBinsBetweenThem) {
  const Column column{"neighbours", "Neighbours", "", std::vector<std::int64_t>{3, 3, 5, 4, 7}};
  const auto made = column_histogram(column);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->x.values, (std::vector<double>{3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(made->ys[0].values, (std::vector<double>{2, 1, 1, 0, 1, 0}));
  std::vector<std::int64_t> many(1000);
  std::iota(many.begin(), many.end(), 1);
  const auto wide = column_histogram({"label", "Label", "", many}, 64);
  ASSERT_TRUE(wide);
  EXPECT_LE(wide->ys[0].values.size(), 65U);
  EXPECT_EQ(std::accumulate(wide->ys[0].values.begin(), wide->ys[0].values.end(), 0.0), 1000.0);
  for (std::size_t i = 0; i + 2 < wide->ys[0].values.size(); ++i) {
    EXPECT_EQ(wide->ys[0].values[i], 16.0);
  }
}

TEST(ColumnHistogram, IsNoneWhereThereIsNothingToCount) {
  EXPECT_FALSE(column_histogram({"reason", "Reason", "", std::vector<std::string>{"a", "b"}}));
  EXPECT_FALSE(column_histogram({"x", "x", "", std::vector<double>{kUnknown, 1.0}}));
  const auto same = column_histogram({"x", "x", "", std::vector<double>{2.0, 2.0}});
  ASSERT_TRUE(same);
  EXPECT_EQ(same->ys[0].values, (std::vector<double>{2.0, 0.0}));
}

}  // namespace
}  // namespace aprscope
