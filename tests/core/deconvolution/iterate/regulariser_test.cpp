#include "core/deconvolution/iterate/regulariser.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/core/deconvolution/explicit_blur.hpp"

namespace aprscope {
namespace {

// The formula on a grid, one cell at a time, in double precision.
class Formula {
 public:
  explicit Formula(const Pixels<float>& grid) : grid_(grid) {}

  [[nodiscard]] double laplacian(const Index3& p, double side) const {
    double sum = 0.0;
    for (int d = 0; d < 3; ++d) sum += moved(p, d, 1) + moved(p, d, -1) - 2.0 * value(p);
    return sum / (side * side);
  }

  [[nodiscard]] double variation(const Index3& p, double side, double edge) const {
    double sum = 0.0;
    for (int d = 0; d < 3; ++d) {
      for (const int s : {-1, 1}) {
        const Index3 q = shifted(p, d, s);
        const double step = (value(q) - value(p)) / side;
        double squares = step * step + edge * edge;
        for (int across = 0; across < 3; ++across) {
          if (across == d) continue;
          const double slope = (moved(p, across, 1) - moved(p, across, -1) + moved(q, across, 1) -
                                moved(q, across, -1)) /
                               (4.0 * side);
          squares += slope * slope;
        }
        sum += step / std::sqrt(squares);
      }
    }
    return sum / side;
  }

 private:
  static Index3 shifted(Index3 p, int d, std::int64_t s) {
    (d == 0 ? p.z : d == 1 ? p.x : p.y) += s;
    return p;
  }
  [[nodiscard]] double value(const Index3& p) const {
    return static_cast<double>(grid_.at(test::mirror(p.z, grid_.size.z),
                                        test::mirror(p.x, grid_.size.x),
                                        test::mirror(p.y, grid_.size.y)));
  }
  [[nodiscard]] double moved(const Index3& p, int d, std::int64_t s) const {
    return value(shifted(p, d, s));
  }
  const Pixels<float>& grid_;
};

constexpr float kScale = 1000.0F;

TEST(Regulariser, AgreesWithTheFormulaOnPixels) {
  for (const Size3 size : {Size3{5, 6, 40}, Size3{1, 9, 17}, Size3{3, 1, 21}}) {
    Pixels<float> image(size);
    image.values = test::random_values(static_cast<std::uint64_t>(size.count()), 3);
    for (const auto kind : {Regularisation::total_variation, Regularisation::tikhonov_miller}) {
      const auto regulariser = make_pixel_regulariser(kind, size).value();
      std::vector<float> out(image.values.size());
      ASSERT_TRUE(regulariser->term(image.values, kScale, out, {}).ok());
      const Formula formula(image);
      for (std::int64_t z = 0; z < size.z; ++z) {
        for (std::int64_t x = 0; x < size.x; ++x) {
          for (std::int64_t y = 0; y < size.y; ++y) {
            const double wanted = kind == Regularisation::total_variation
                                      ? formula.variation({z, x, y}, 1.0, 1.0)
                                      : formula.laplacian({z, x, y}, 1.0) / 1000.0;
            ASSERT_NEAR(out[image.index(z, x, y)], wanted, 2e-5);
          }
        }
      }
    }
  }
}

TEST(Regulariser, AgreesWithTheFormulaOnEachLevelsGrid) {
  const auto access = test::random_access({{13, 16, 22}, 5, 0.6, true});
  const auto values = test::random_values(access->count(), 6);
  const auto tree = test::naive_tree(*access, values, Reduction::mean);
  for (const auto kind : {Regularisation::total_variation, Regularisation::tikhonov_miller}) {
    const auto regulariser = make_particle_regulariser(kind, access).value();
    std::vector<float> out(values.size());
    ASSERT_TRUE(regulariser->term(values, kScale, out, {}).ok());
    for (int l = 1; l <= access->level_max(); ++l) {
      if (access->particles().level(l).empty()) continue;
      const double side = std::ldexp(1.0, access->level_max() - l);
      const Pixels<float> grid = test::naive_at_level(*access, values, tree, l);
      const Formula formula(grid);
      for (std::int64_t z = 0; z < grid.size.z; ++z) {
        for (std::int64_t x = 0; x < grid.size.x; ++x) {
          const ParticleRange row = access->particles().row(l, z, x);
          for (std::uint64_t p = row.begin; p < row.end; ++p) {
            const Index3 cell{z, x, access->particles().y()[p]};
            const double wanted = kind == Regularisation::total_variation
                                      ? formula.variation(cell, side, 1.0)
                                      : formula.laplacian(cell, side) / 1000.0;
            ASSERT_NEAR(out[p], wanted, 2e-5) << "level " << l;
          }
        }
      }
    }
  }
}

TEST(Regulariser, IsFiniteForAnyFiniteValues) {
  const Size3 size{4, 4, 4};
  for (const float magnitude : {0.0F, 1e-40F, 1e-30F, 1e30F}) {
    std::vector<float> values = test::random_values(64, 8, 0.0F, 1.0F);
    for (float& v : values) v *= magnitude;
    for (const auto kind : {Regularisation::total_variation, Regularisation::tikhonov_miller}) {
      const auto regulariser = make_pixel_regulariser(kind, size).value();
      std::vector<float> out(64);
      ASSERT_TRUE(regulariser->term(values, std::max(magnitude, 1e-30F), out, {}).ok());
      for (const float v : out) ASSERT_TRUE(std::isfinite(v));
    }
  }
}

TEST(Regulariser, ThereIsNoneWhereNoneIsWanted) {
  EXPECT_EQ(make_pixel_regulariser(Regularisation::none, {4, 4, 4}).value(), nullptr);
  EXPECT_EQ(make_particle_regulariser(Regularisation::none, test::full_access({4, 4, 4})).value(),
            nullptr);
}

}  // namespace
}  // namespace aprscope
