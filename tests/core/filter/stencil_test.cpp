#include "core/filter/stencil.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "core/filter/stencil_pyramid.hpp"
#include "tests/support/from_middle.hpp"

namespace aprscope {
namespace {

double weight(const Stencil& s, std::int64_t z, std::int64_t x, std::int64_t y) {
  return s.weights[static_cast<std::size_t>((z * s.size.x + x) * s.size.y + y)];
}

TEST(Stencil, GaussianHasItsMomentsAndSize) {
  const Stencil s = gaussian_stencil({1.0, 2.0, 0.0});
  EXPECT_EQ(s.size, (Size3{7, 13, 1}));
  EXPECT_NEAR(s.sum(), 1.0, 1e-12);
  // Ratio of neighbours: exp(−(2i + 1) / 2σ²).
  EXPECT_NEAR(weight(s, 4, 6, 0) / weight(s, 3, 6, 0), std::exp(-0.5), 1e-12);
  EXPECT_NEAR(weight(s, 3, 7, 0) / weight(s, 3, 6, 0), std::exp(-0.125), 1e-12);
  EXPECT_EQ(gaussian_stencil({2, 2, 2}, {5, 7, 9}).size, (Size3{5, 7, 9}));
}

// 65³ is the first cube that is not written out.
const std::array<double, 3> kWideSigma{9.0, 10.5, 11.0};
constexpr Size3 kWideSize{65, 65, 67};

TEST(WideStencil, SmallOnesAreWrittenOutToTheBit) {
  EXPECT_EQ(wide_gaussian_stencil({2, 1, 0.5}), gaussian_stencil({2, 1, 0.5}));
  EXPECT_EQ(wide_gaussian_stencil({10, 10, 10}), gaussian_stencil({10, 10, 10}));  // 61³
  EXPECT_EQ(wide_box_stencil({5, 63, 7}), box_stencil({5, 63, 7}));
}

TEST(WideStencil, IsTheProductWithoutItsWeights) {
  const Stencil wide = wide_gaussian_stencil(kWideSigma, kWideSize);
  const Stencil full = gaussian_stencil(kWideSigma, kWideSize);
  ASSERT_TRUE(wide.lines.has_value());
  EXPECT_TRUE(wide.weights.empty());
  EXPECT_TRUE(check(wide).ok());
  EXPECT_EQ(wide.size, full.size);
  EXPECT_NEAR(wide.sum(), 1.0, 1e-12);
  EXPECT_EQ(wide.largest(), full.largest());
  for (const Index3& p : {Index3{0, 0, 0}, {32, 32, 33}, {5, 60, 12}, {64, 64, 66}}) {
    EXPECT_EQ(wide.weight(p.z, p.x, p.y), weight(full, p.z, p.x, p.y));
  }
  // What passes multiply with, to the bit.
  EXPECT_EQ(*separate(wide), *separate(full));
}

TEST(WideStencil, PyramidsAreThoseOfTheFullStencil) {
  const Stencil wide = wide_gaussian_stencil(kWideSigma, kWideSize);
  const Stencil full = gaussian_stencil(kWideSigma, kWideSize);
  for (const StencilMode mode :
       {StencilMode::same, StencilMode::restricted, StencilMode::rescaled}) {
    for (const bool normalize : {false, true}) {
      const auto a = StencilPyramid::create(wide, mode, normalize, 4);
      const auto b = StencilPyramid::create(full, mode, normalize, 4);
      ASSERT_TRUE(a.ok() && b.ok());
      for (int level = 0; level <= 4; ++level) {
        const Stencil& narrow = a->at(level);
        const Stencil& reference = b->at(level);
        ASSERT_EQ(narrow.size, reference.size);
        // What has become small is written out, and is a stencil as any other.
        EXPECT_EQ(narrow.lines.has_value(), narrow.size.count() > 1 << 18);
        const double tolerance = 1e-12 * reference.largest();
        for (std::int64_t z = 0; z < narrow.size.z; z += 3) {
          for (std::int64_t x = 0; x < narrow.size.x; x += 5) {
            for (std::int64_t y = 0; y < narrow.size.y; ++y) {
              ASSERT_NEAR(narrow.weight(z, x, y), weight(reference, z, x, y), tolerance);
            }
          }
        }
      }
    }
  }
}

TEST(WideStencil, LinesAreChecked) {
  Stencil wide = wide_gaussian_stencil(kWideSigma, kWideSize);
  (*wide.lines)[1][7] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(check(wide).ok());
  (*wide.lines)[1].pop_back();
  EXPECT_FALSE(check(wide).ok());
}

TEST(Stencil, LaplacianIsExactOnQuadratics) {
  const std::array<double, 3> d{2.0, 1.0, 0.5};
  const Stencil s = laplacian_stencil(d);
  double sum = 0.0;
  for (std::int64_t z = 0; z < 3; ++z)
    for (std::int64_t x = 0; x < 3; ++x)
      for (std::int64_t y = 0; y < 3; ++y) {
        const double pz = d[0] * (static_cast<double>(z) - 1);
        const double px = d[1] * (static_cast<double>(x) - 1);
        const double py = d[2] * (static_cast<double>(y) - 1);
        sum += weight(s, z, x, y) * (3 * pz * pz + 5 * px * px - 2 * py * py + px * py + 7 * py);
      }
  EXPECT_NEAR(sum, 2 * (3 + 5 - 2), 1e-12);
}

TEST(Stencil, LogSumsToZeroAndIsNegativeInTheMiddle) {
  const Stencil s = log_stencil({2, 2, 2});
  EXPECT_NEAR(s.sum(), 0.0, 1e-12);
  EXPECT_LT(weight(s, s.size.z / 2, s.size.x / 2, s.size.y / 2), 0.0);
  // On a quadratic the Laplacian of the smoothed image is the Laplacian of the image; the cut at
  // 3 σ loses a little.
  double sum = 0.0;
  const Stencil wide = log_stencil({2, 0, 0}, {41, 1, 1});
  for (std::int64_t z = 0; z < 41; ++z) {
    sum += weight(wide, z, 0, 0) * static_cast<double>((z - 20) * (z - 20));
  }
  EXPECT_NEAR(sum, 2.0, 1e-6);
}

TEST(Stencil, LogOfAPeakBetweenSamplesIsZero) {
  for (const double sigma : {1e-3, 1e-50, 8.1e-307, 5e-324}) {
    const Stencil log = log_stencil({sigma, sigma, sigma});
    EXPECT_TRUE(check(log).ok()) << sigma;
    for (const double w : log.weights) EXPECT_EQ(w, 0.0) << sigma;
  }
}

TEST(Stencil, DerivativesAreExactOnSlopes) {
  for (const Axis axis : {Axis::z, Axis::x, Axis::y}) {
    for (const Stencil& s : {central_difference_stencil(axis, 0.5), sobel_stencil(axis, 0.5)}) {
      std::array<double, 3> slope{0, 0, 0};
      for (std::int64_t z = 0; z < s.size.z; ++z)
        for (std::int64_t x = 0; x < s.size.x; ++x)
          for (std::int64_t y = 0; y < s.size.y; ++y) {
            const double w = weight(s, z, x, y);
            slope[0] += w * 0.5 * test::from_middle(z, s.size.z);
            slope[1] += w * 0.5 * test::from_middle(x, s.size.x);
            slope[2] += w * 0.5 * test::from_middle(y, s.size.y);
          }
      for (std::size_t d = 0; d < 3; ++d) {
        EXPECT_NEAR(slope[d], d == static_cast<std::size_t>(axis) ? 1.0 : 0.0, 1e-12);
      }
    }
  }
}

TEST(Stencil, SharpenKeepsTheSum) {
  EXPECT_NEAR(sharpen_stencil({1, 1, 1}, 2.5).sum(), 1.0, 1e-12);
}

TEST(Stencil, NormalizedScalesButLeavesDerivatives) {
  Stencil s{{1, 1, 3}, {1, 2, 5}, ""};
  EXPECT_NEAR(s.normalized().sum(), 1.0, 1e-15);
  EXPECT_NEAR(s.normalized().weights[1], 0.25, 1e-15);
  EXPECT_EQ(laplacian_stencil().normalized(), laplacian_stencil());
}

TEST(Separate, FindsTheFactorsOrSaysNo) {
  const Stencil gaussian = gaussian_stencil({1.0, 1.5, 2.0});
  const auto f = separate(gaussian);
  ASSERT_TRUE(f.has_value());
  for (std::int64_t z = 0; z < gaussian.size.z; ++z)
    for (std::int64_t x = 0; x < gaussian.size.x; ++x)
      for (std::int64_t y = 0; y < gaussian.size.y; ++y) {
        EXPECT_NEAR((*f)[0][static_cast<std::size_t>(z)] * (*f)[1][static_cast<std::size_t>(x)] *
                        (*f)[2][static_cast<std::size_t>(y)],
                    weight(gaussian, z, x, y), 1e-15);
      }
  EXPECT_FALSE(separate(laplacian_stencil()).has_value());
}

TEST(Check, RefusesEvenSizesWrongCountsAndInfinity) {
  EXPECT_TRUE(check(box_stencil({3, 1, 5})).ok());
  EXPECT_FALSE(check(Stencil{{2, 1, 1}, {1, 1}, ""}).ok());
  EXPECT_FALSE(check(Stencil{{1, 1, 3}, {1, 1}, ""}).ok());
  EXPECT_FALSE(check(Stencil{{1, 1, 1}, {std::numeric_limits<double>::infinity()}, ""}).ok());
  EXPECT_FALSE(check(Stencil{{1, 1, -1}, {}, ""}).ok());
}

// The average, over all positions of a pixel inside a coarse cell, of where its taps fall.
Stencil naive_restriction(const Stencil& s, std::int64_t side) {
  Stencil out = restrict_stencil(s, 0);
  const auto size = [&](std::int64_t n) {
    return n == 1 ? 1 : std::max<std::int64_t>(2 * (((n - 1) / 2 + side - 1) / side) + 1, 3);
  };
  out.size = {size(s.size.z), size(s.size.x), size(s.size.y)};
  out.weights.assign(static_cast<std::size_t>(out.size.count()), 0.0);
  const auto cell = [&](std::int64_t p) { return p >= 0 ? p / side : -((-p + side - 1) / side); };
  const auto n = static_cast<double>(side);
  for (std::int64_t iz = 0; iz < s.size.z; ++iz)
    for (std::int64_t ix = 0; ix < s.size.x; ++ix)
      for (std::int64_t iy = 0; iy < s.size.y; ++iy)
        for (std::int64_t z = 0; z < side; ++z)
          for (std::int64_t x = 0; x < side; ++x)
            for (std::int64_t y = 0; y < side; ++y) {
              const std::int64_t oz = s.size.z == 1 ? 0 : cell(z + iz - s.size.z / 2);
              const std::int64_t ox = s.size.x == 1 ? 0 : cell(x + ix - s.size.x / 2);
              const std::int64_t oy = s.size.y == 1 ? 0 : cell(y + iy - s.size.y / 2);
              out.weights[static_cast<std::size_t>(
                  ((oz + out.size.z / 2) * out.size.x + ox + out.size.x / 2) * out.size.y + oy +
                  out.size.y / 2)] += weight(s, iz, ix, iy) / (n * n * n);
            }
  return out;
}

TEST(RestrictStencil, EqualsTheAverageOverAllPositionsInACell) {
  for (const Size3 size : {Size3{3, 3, 3}, Size3{5, 5, 5}, Size3{1, 7, 13}, Size3{9, 1, 1}}) {
    Stencil s{size, {}, ""};
    for (std::int64_t i = 0; i < size.count(); ++i) {
      s.weights.push_back(i == 0 ? 1.0 : std::sin(3.0 * static_cast<double>(i)));
    }
    s.weights.erase(s.weights.begin());
    s.weights.resize(static_cast<std::size_t>(size.count()), 0.5);
    for (const int delta : {1, 2, 3}) {
      const Stencil got = restrict_stencil(s, delta);
      const Stencil expected = naive_restriction(s, std::int64_t{1} << delta);
      ASSERT_EQ(got.size, expected.size);
      for (std::size_t i = 0; i < got.weights.size(); ++i) {
        EXPECT_NEAR(got.weights[i], expected.weights[i], 1e-12);
      }
      EXPECT_NEAR(got.sum(), s.sum(), 1e-12);
    }
  }
}

TEST(RestrictStencil, SmallStencilsBecomeThreeWide) {
  for (const std::int64_t n : {3, 5}) {
    for (int delta = 1; delta < 8; ++delta) {
      if (n == 5 && delta == 0) continue;
      EXPECT_EQ(restrict_stencil(box_stencil({n, n, n}), delta).size, (Size3{3, 3, 3}));
    }
  }
}

TEST(RestrictStencil, ASeparableOneStaysSeparableByItsFactors) {
  const Stencil s = gaussian_stencil({1.0, 1.5, 2.0});
  const auto factors = separate(s);
  ASSERT_TRUE(factors);
  for (const int delta : {1, 2, 4}) {
    const Stencil r = restrict_stencil(s, delta);
    ASSERT_TRUE(separate(r).has_value()) << delta;
    std::array<Stencil, 3> lines;
    for (std::size_t d = 0; d < 3; ++d) {
      Stencil line{{1, 1, static_cast<std::int64_t>((*factors)[d].size())}, (*factors)[d], ""};
      lines[d] = restrict_stencil(line, delta);
    }
    for (std::int64_t z = 0; z < r.size.z; ++z)
      for (std::int64_t x = 0; x < r.size.x; ++x)
        for (std::int64_t y = 0; y < r.size.y; ++y) {
          EXPECT_NEAR(weight(r, z, x, y),
                      lines[0].weights[static_cast<std::size_t>(z)] *
                          lines[1].weights[static_cast<std::size_t>(x)] *
                          lines[2].weights[static_cast<std::size_t>(y)],
                      1e-15);
        }
  }
}

TEST(StencilPyramid, ModesDoWhatTheySay) {
  const Stencil s{{1, 1, 3}, {1, 2, 5}, ""};
  const auto same = StencilPyramid::create(s, StencilMode::same, false, 4);
  const auto scaled = StencilPyramid::create(s, StencilMode::rescaled, false, 4);
  const auto restricted = StencilPyramid::create(s, StencilMode::restricted, true, 4);
  ASSERT_TRUE(same.ok() && scaled.ok() && restricted.ok());
  for (int l = 0; l <= 4; ++l) {
    EXPECT_EQ(same->at(l).weights, s.weights);
    EXPECT_DOUBLE_EQ(scaled->at(l).weights[2], 5.0 * std::pow(2.0, l - 4));
    EXPECT_NEAR(restricted->at(l).sum(), 1.0, 1e-12);
  }
  EXPECT_FALSE(StencilPyramid::create({{2, 1, 1}, {1, 1}, ""}, StencilMode::same, false, 3).ok());
  EXPECT_FALSE(StencilPyramid::from_levels({}).ok());
}

}  // namespace
}  // namespace aprscope
