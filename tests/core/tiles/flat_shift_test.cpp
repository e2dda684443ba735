#include "core/tiles/flat_shift.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

// Blurred spots on a field, with noise of its own for each picture that is taken of it.
class Field {
 public:
  explicit Field(unsigned seed) : random_(seed) {
    std::uniform_real_distribution<double> place(-40.0, 240.0);
    std::uniform_real_distribution<double> height(50.0, 200.0);
    for (int i = 0; i < 150; ++i)
      spots_.push_back({place(random_), place(random_), height(random_)});
  }
  // The picture with its first pixel at (row, col) of the field; `said`: where it says to lie.
  FlatPicture picture(std::int64_t rows, std::int64_t cols, double row, double col,
                      std::int64_t said_row, std::int64_t said_col, double noise) {
    FlatPicture out{rows, cols, said_row, said_col, {}};
    std::normal_distribution<double> rest(0.0, noise);
    for (std::int64_t r = 0; r < rows; ++r) {
      for (std::int64_t c = 0; c < cols; ++c) {
        double value = 100.0 + rest(random_);
        for (const auto& [sr, sc, height] : spots_) {
          const double dr = row + static_cast<double>(r) - sr;
          const double dc = col + static_cast<double>(c) - sc;
          const double square = dr * dr + dc * dc;
          if (square < 100.0) value += height * std::exp(-square / 8.0);
        }
        out.values.push_back(static_cast<float>(value));
      }
    }
    return out;
  }

 private:
  struct Spot {
    double row, col, height;
  };
  std::mt19937 random_;
  std::vector<Spot> spots_;
};

TEST(FlatShift, FindsMovesToAFractionOfAPixel) {
  Field field(1);
  for (const auto& [row, col] :
       {std::pair(0.0, 0.0), {7.0, -12.0}, {-19.0, 3.0}, {2.4, 5.7}, {-0.3, 0.4}}) {
    const FlatPicture a = field.picture(120, 90, 10.0, 20.0, 10, 20, 5.0);
    // It lies elsewhere than it says: to lie right it must move by (row, col).
    const FlatPicture b = field.picture(110, 95, 12.0 + row, 18.0 + col, 12, 18, 5.0);
    const auto found = FlatPair(a, b).shift(30, {});
    ASSERT_TRUE(found.ok());
    EXPECT_NEAR(found->rows, row, 0.25) << row << ' ' << col;
    EXPECT_NEAR(found->cols, col, 0.25) << row << ' ' << col;
    EXPECT_GT(found->correlation, 0.8);
  }
}

TEST(FlatShift, FindsThemInANarrowStripWithMuchNoise) {
  Field field(2);
  const FlatPicture a = field.picture(150, 24, 30.0, 60.0, 30, 60, 40.0);
  const FlatPicture b = field.picture(150, 24, 36.0, 57.0, 30, 60, 40.0);
  const auto found = FlatPair(a, b).shift(20, {});
  ASSERT_TRUE(found.ok());
  EXPECT_NEAR(found->rows, 6.0, 0.5);
  EXPECT_NEAR(found->cols, -3.0, 0.5);
}

TEST(FlatShift, OfDifferentThingsCorrelatesLittle) {
  Field one(3), other(4);
  const auto found =
      FlatPair(one.picture(100, 100, 0, 0, 0, 0, 5.0), other.picture(100, 100, 0, 0, 0, 0, 5.0))
          .shift(20, {});
  ASSERT_TRUE(found.ok());
  EXPECT_LT(found->correlation, 0.3);
  // And what has no contrast says nothing.
  const FlatPicture flat{50, 50, 0, 0, std::vector<float>(2500, 7.0F)};
  const auto none = FlatPair(flat, flat).shift(10, {});
  ASSERT_TRUE(none.ok());
  EXPECT_EQ(none->correlation, 0.0);
  EXPECT_EQ(none->rows, 0.0);
  EXPECT_EQ(FlatPair({}, flat).shift(10, {})->correlation, 0.0);
}

TEST(FlatPair, TheTopOfAParabolaLiesBetween) {
  EXPECT_EQ(parabola_top(1.0, 2.0, 1.0), 0.0);
  EXPECT_NEAR(parabola_top(-1.0, 0.0, 0.0), 0.5, 1e-12);
  EXPECT_NEAR(parabola_top(3.0 - 1.69, 3.0 - 0.09, 3.0 - 0.49), 0.3, 1e-12);
  EXPECT_EQ(parabola_top(1.0, 1.0, 1.0), 0.0);
  EXPECT_EQ(parabola_top(2.0, 1.0, 2.0), 0.0);
}

TEST(FlatShift, GoesNoFurtherThanAllowed) {
  Field field(5);
  const FlatPicture a = field.picture(120, 120, 40.0, 40.0, 40, 40, 2.0);
  const FlatPicture b = field.picture(120, 120, 40.0, 65.0, 40, 40, 2.0);
  const auto far = FlatPair(a, b).shift(40, {});
  ASSERT_TRUE(far.ok());
  EXPECT_NEAR(far->cols, 25.0, 0.3);
  const auto near = FlatPair(a, b).shift(10, {});
  ASSERT_TRUE(near.ok());
  EXPECT_LE(std::abs(near->cols), 10.5);
}

}  // namespace
}  // namespace aprscope
