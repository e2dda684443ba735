#include <gtest/gtest.h>

#include "core/filter/pixel_filter.hpp"
#include "tests/core/filter/naive.hpp"

// Rows that are cut into several slabs along y (1024 cells each), with stencils that reach across.
namespace aprscope {
namespace {

using test::Sample;

struct LongRows {
  Size3 size;
  Size3 stencil;
};

class LongRowsOf : public testing::TestWithParam<std::tuple<LongRows, Boundary>> {};

TEST_P(LongRowsOf, EqualBruteForceOnParticlesAndPixels) {
  const auto& [shape, boundary] = GetParam();
  const Sample s(test::random_access({shape.size, 21, 0.8, false}));
  const auto pyramid = StencilPyramid::create(test::counting_stencil(shape.stencil),
                                              StencilMode::same, false, s.access->level_max());
  ASSERT_TRUE(pyramid.ok());
  std::vector<float> out(s.access->count());
  ASSERT_TRUE(convolve(s.input(), *pyramid, boundary, s.all(), out).ok());
  const auto expected =
      test::naive_filter(*s.access, s.values, s.tree, boundary, test::naive_correlation(*pyramid));
  for (std::size_t i = 0; i < out.size(); ++i) ASSERT_NEAR(out[i], expected[i], 2e-3) << i;

  const Pixels<float> image = test::naive_reconstruct(*s.access, s.values);
  Pixels<float> filtered(image.size);
  ASSERT_TRUE(convolve_pixels(image, test::counting_stencil(shape.stencil), boundary,
                              whole(image.size), filtered)
                  .ok());
  const Stencil stencil = test::counting_stencil(shape.stencil);
  for (std::int64_t z = 0; z < image.size.z; ++z) {
    for (std::int64_t x = 0; x < image.size.x; ++x) {
      for (std::int64_t y = 0; y < image.size.y; ++y) {
        const auto near = test::neighbourhood(image, {z, x, y}, shape.stencil, boundary);
        double sum = 0.0;
        for (std::size_t k = 0; k < near.size(); ++k) sum += stencil.weights[k] * near[k];
        ASSERT_NEAR(filtered.at(z, x, y), sum, 2e-3) << z << ' ' << x << ' ' << y;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, LongRowsOf,
                         testing::Combine(testing::Values(LongRows{{3, 4, 1100}, {3, 3, 3}},
                                                          LongRows{{1, 3, 2050}, {1, 3, 41}},
                                                          LongRows{{1, 1, 2303}, {1, 1, 301}},
                                                          LongRows{{2, 5, 1026}, {3, 1, 13}}),
                                          testing::Values(Boundary::reflect, Boundary::zero)));

// Passes of separable filters and of extremes, across slabs too.
TEST(LongRows, PassesEqualBruteForce) {
  const Sample s(test::random_access({{3, 5, 1500}, 22, 0.8, true}));
  const auto pyramid = StencilPyramid::create(gaussian_stencil({1, 1.5, 9}, {5, 7, 55}),
                                              StencilMode::same, true, s.access->level_max());
  ASSERT_TRUE(pyramid.ok());
  std::vector<float> out(s.access->count());
  ASSERT_TRUE(convolve(s.input(), *pyramid, Boundary::reflect, s.all(), out).ok());
  const auto expected = test::naive_filter(*s.access, s.values, s.tree, Boundary::reflect,
                                           test::naive_correlation(*pyramid));
  for (std::size_t i = 0; i < out.size(); ++i) ASSERT_NEAR(out[i], expected[i], 2e-3) << i;

  const Size3 box{3, 5, 35};
  ASSERT_TRUE(
      local_statistic(s.input(), LocalStatistic::max, box, Boundary::zero, s.all(), out).ok());
  const test::NaiveFilter largest{
      [&](int) { return box; },
      [](int, const std::vector<double>& v) { return *std::max_element(v.begin(), v.end()); }};
  const auto most = test::naive_filter(*s.access, s.values, s.tree, Boundary::zero, largest);
  for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], most[i]) << i;
}

// Factors of even and of no symmetry, each along each axis: rows with equal weights are added
// first.
TEST(LongRows, PassesWithoutSymmetryEqualBruteForce) {
  const auto product = [](const std::vector<double>& z, const std::vector<double>& x,
                          const std::vector<double>& y) {
    Stencil s{{std::ssize(z), std::ssize(x), std::ssize(y)}, {}, "product"};
    for (const double a : z) {
      for (const double b : x) {
        for (const double c : y) s.weights.push_back(a * b * c);
      }
    }
    return s.normalized();
  };
  const std::vector<double> even{1, 3, 5, 3, 1};
  const std::vector<double> ramp{1, 2, 4, 7, 9};
  const Sample s(test::random_access({{7, 9, 700}, 24, 0.8, true}));
  for (const Stencil& stencil :
       {product(ramp, even, even), product(even, ramp, even), product(even, even, ramp)}) {
    for (const Boundary boundary : {Boundary::reflect, Boundary::zero}) {
      const auto pyramid =
          StencilPyramid::create(stencil, StencilMode::same, false, s.access->level_max());
      ASSERT_TRUE(pyramid.ok());
      std::vector<float> out(s.access->count());
      ASSERT_TRUE(convolve(s.input(), *pyramid, boundary, s.all(), out).ok());
      const auto expected = test::naive_filter(*s.access, s.values, s.tree, boundary,
                                               test::naive_correlation(*pyramid));
      for (std::size_t i = 0; i < out.size(); ++i) ASSERT_NEAR(out[i], expected[i], 2e-3) << i;
    }
  }
}

// A preview of one plane across the rows is a region one cell long.
TEST(LongRows, RegionsAgreeWithTheWholeBitForBit) {
  const Sample s(test::random_access({{4, 6, 1300}, 23, 0.8, true}));
  for (const Stencil& stencil :
       {test::counting_stencil({3, 3, 5}), gaussian_stencil({1, 1, 4}, {5, 5, 25})}) {
    const auto pyramid =
        StencilPyramid::create(stencil, StencilMode::same, false, s.access->level_max());
    ASSERT_TRUE(pyramid.ok());
    std::vector<float> all(s.access->count());
    ASSERT_TRUE(convolve(s.input(), *pyramid, Boundary::reflect, s.all(), all).ok());
    for (const std::int64_t y : {0, 511, 1023, 1024, 1025, 1299}) {
      std::vector<float> part(s.access->count(), -1e9F);
      const Region plane{{0, 0, y}, {4, 6, y + 1}};
      ASSERT_TRUE(convolve(s.input(), *pyramid, Boundary::reflect, plane, part).ok());
      std::size_t computed = 0;
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (part[i] == -1e9F) continue;
        ++computed;
        ASSERT_EQ(part[i], all[i]) << "particle " << i << ", plane " << y;
      }
      ASSERT_GT(computed, 0U);
      for (std::int64_t z = 0; z < 4; ++z) {
        for (std::int64_t x = 0; x < 6; ++x) {
          ASSERT_NE(part[s.access->find({z, x, y}).index], -1e9F);
        }
      }
    }
  }
}

}  // namespace
}  // namespace aprscope
