#include "core/filter/convolution.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "core/filter/pixel_filter.hpp"
#include "tests/core/filter/naive.hpp"

namespace aprscope {
namespace {

using test::Sample;

std::vector<float> run(const Sample& s, const StencilPyramid& pyramid, Boundary boundary) {
  std::vector<float> out(s.access->count(), std::numeric_limits<float>::quiet_NaN());
  EXPECT_TRUE(convolve(s.input(), pyramid, boundary, s.all(), out).ok());
  return out;
}

// Relative to the largest expected value: 1e-4 is what users are promised, the code does better.
void expect_close(const std::vector<float>& got, const std::vector<double>& expected,
                  double relative = 1e-4) {
  ASSERT_EQ(got.size(), expected.size());
  double scale = 0.0;
  for (const double e : expected) scale = std::max(scale, std::abs(e));
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_NEAR(got[i], expected[i], relative * std::max(std::abs(expected[i]), 1e-3 * scale))
        << "particle " << i;
  }
}

class ConvolutionOfSize : public testing::TestWithParam<std::tuple<Size3, StencilMode, Boundary>> {
};

TEST_P(ConvolutionOfSize, EqualsBruteForce) {
  const auto [size, mode, boundary] = GetParam();
  const Sample s(test::random_access({{23, 30, 37}, 4, 0.6, true}));
  const auto pyramid =
      StencilPyramid::create(test::counting_stencil(size), mode, false, s.access->level_max());
  ASSERT_TRUE(pyramid.ok());
  expect_close(run(s, *pyramid, boundary), test::naive_filter(*s.access, s.values, s.tree, boundary,
                                                              test::naive_correlation(*pyramid)));
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, ConvolutionOfSize,
    testing::Combine(testing::Values(Size3{3, 3, 3}, Size3{5, 5, 5}, Size3{7, 7, 7}, Size3{3, 5, 7},
                                     Size3{1, 3, 5}, Size3{17, 1, 1}, Size3{1, 17, 1},
                                     Size3{1, 1, 17}, Size3{1, 1, 1}),
                     testing::Values(StencilMode::same, StencilMode::restricted,
                                     StencilMode::rescaled),
                     testing::Values(Boundary::reflect, Boundary::zero)));

INSTANTIATE_TEST_SUITE_P(
    LargeSizes, ConvolutionOfSize,
    testing::Combine(testing::Values(Size3{9, 9, 9}, Size3{11, 11, 11}, Size3{13, 13, 13}),
                     testing::Values(StencilMode::same, StencilMode::restricted),
                     testing::Values(Boundary::reflect, Boundary::zero)));

TEST(Convolution, SeparableStencilsEqualBruteForce) {
  const Sample s(test::random_access({{20, 33, 41}, 6, 0.6, true}));
  const Stencil gaussian = gaussian_stencil({1.0, 1.4, 2.0});
  for (const Boundary boundary : {Boundary::reflect, Boundary::zero}) {
    const auto pyramid =
        StencilPyramid::create(gaussian, StencilMode::restricted, true, s.access->level_max());
    ASSERT_TRUE(pyramid.ok());
    expect_close(run(s, *pyramid, boundary),
                 test::naive_filter(*s.access, s.values, s.tree, boundary,
                                    test::naive_correlation(*pyramid)),
                 2e-6);
  }
}

TEST(Convolution, AccurateToAMillionthOfTheAbsoluteSum) {
  const Sample s(test::random_access({{24, 24, 24}, 8, 0.7, true}));
  const auto pyramid = StencilPyramid::create(test::counting_stencil({5, 5, 5}), StencilMode::same,
                                              false, s.access->level_max());
  ASSERT_TRUE(pyramid.ok());
  const auto got = run(s, *pyramid, Boundary::reflect);
  const auto expected = test::naive_filter(*s.access, s.values, s.tree, Boundary::reflect,
                                           test::naive_correlation(*pyramid));
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_NEAR(got[i], expected[i], 1e-6 * expected[i]);  // all weights and values ≥ 0
  }
}

TEST(Convolution, AnyJumpOfLevelsBetweenNeighbours) {
  const Sample s(test::random_access({{32, 32, 32}, 11, 0.5, false}));
  const auto pyramid = StencilPyramid::create(test::counting_stencil({5, 3, 7}), StencilMode::same,
                                              false, s.access->level_max());
  ASSERT_TRUE(pyramid.ok());
  expect_close(run(s, *pyramid, Boundary::reflect),
               test::naive_filter(*s.access, s.values, s.tree, Boundary::reflect,
                                  test::naive_correlation(*pyramid)));
}

TEST(Convolution, LinesPlanesAndImagesSmallerThanTheStencil) {
  for (const Size3 size :
       {Size3{1, 1, 50}, Size3{1, 40, 30}, Size3{2, 3, 4}, Size3{1, 1, 1}, Size3{5, 1, 300}}) {
    const Sample s(test::random_access({size, 3, 0.7, true}));
    const auto pyramid = StencilPyramid::create(test::counting_stencil({7, 9, 13}),
                                                StencilMode::same, false, s.access->level_max());
    ASSERT_TRUE(pyramid.ok());
    for (const Boundary boundary : {Boundary::reflect, Boundary::zero}) {
      expect_close(run(s, *pyramid, boundary),
                   test::naive_filter(*s.access, s.values, s.tree, boundary,
                                      test::naive_correlation(*pyramid)));
    }
  }
}

TEST(Convolution, IndependentStencilsALevel) {
  const Sample s(test::random_access({{16, 16, 16}, 5, 0.6, true}));
  std::vector<Stencil> stencils;
  for (int l = 0; l <= s.access->level_max(); ++l) {
    stencils.push_back(test::counting_stencil({1, 2 * (l % 3) + 1, 3}));
  }
  const auto pyramid = StencilPyramid::from_levels(stencils);
  ASSERT_TRUE(pyramid.ok());
  expect_close(run(s, *pyramid, Boundary::reflect),
               test::naive_filter(*s.access, s.values, s.tree, Boundary::reflect,
                                  test::naive_correlation(*pyramid)));
}

TEST(Convolution, FullyRefinedItEqualsPixelConvolution) {
  const Size3 size{9, 17, 35};
  const Sample s(test::full_access(size));
  Pixels<float> image(size);
  image.values = s.values;
  for (const Stencil& stencil :
       {test::counting_stencil({3, 5, 3}), gaussian_stencil({1.0, 1.0, 1.0})}) {
    for (const StencilMode mode :
         {StencilMode::same, StencilMode::restricted, StencilMode::rescaled}) {
      const auto pyramid = StencilPyramid::create(stencil, mode, false, s.access->level_max());
      ASSERT_TRUE(pyramid.ok());
      Pixels<float> out(size);
      ASSERT_TRUE(convolve_pixels(image, stencil, Boundary::reflect, whole(size), out).ok());
      EXPECT_EQ(run(s, *pyramid, Boundary::reflect), out.values);
    }
  }
}

TEST(Convolution, AConstantImageIsUnchangedByNormalisedStencils) {
  Sample s(test::random_access({{31, 26, 45}, 12, 0.6, true}));
  std::fill(s.values.begin(), s.values.end(), 123.0F);
  s.tree = test::naive_tree(*s.access, s.values, Reduction::mean);
  for (const Stencil& stencil : {gaussian_stencil({2, 2, 2}), test::counting_stencil({5, 5, 5}),
                                 box_stencil({3, 3, 3}), sharpen_stencil({1, 1, 1}, 1.5)}) {
    for (const StencilMode mode : {StencilMode::same, StencilMode::restricted}) {
      const auto pyramid = StencilPyramid::create(stencil, mode, true, s.access->level_max());
      ASSERT_TRUE(pyramid.ok());
      for (const float v : run(s, *pyramid, Boundary::reflect)) ASSERT_NEAR(v, 123.0F, 2e-4F);
    }
  }
}

std::vector<Region> some_regions(const Size3& n) {
  return {{{7, 0, 0}, {8, n.x, n.y}},
          {{0, 11, 0}, {n.z, 12, n.y}},
          {{0, 0, 20}, {n.z, n.x, 21}},
          {{3, 5, 9}, {14, 6, 33}},
          {{n.z - 1, n.x - 1, n.y - 1}, {n.z, n.x, n.y}}};
}

// Particles whose cells touch a region, by definition.
std::vector<bool> touched(const AprAccess& access, const Region& region) {
  const test::ParticleMap map = test::particle_map(access);
  std::vector<bool> inside(access.count(), false);
  for (std::int64_t z = region.begin.z; z < region.end.z; ++z)
    for (std::int64_t x = region.begin.x; x < region.end.x; ++x)
      for (std::int64_t y = region.begin.y; y < region.end.y; ++y) {
        inside[map.index.at(z, x, y)] = true;
      }
  return inside;
}

TEST(Convolution, ARegionAgreesWithTheWholeBitForBitAndTouchesNothingElse) {
  const Sample s(test::random_access({{25, 31, 300}, 21, 0.55, true}));
  for (const Stencil& stencil :
       {test::counting_stencil({3, 3, 3}), gaussian_stencil({1.5, 1.5, 1.5})}) {
    const auto pyramid =
        StencilPyramid::create(stencil, StencilMode::restricted, true, s.access->level_max());
    ASSERT_TRUE(pyramid.ok());
    const auto full = run(s, *pyramid, Boundary::reflect);
    for (const Region& region : some_regions(s.access->size())) {
      std::vector<float> part(s.access->count(), -77.0F);
      ASSERT_TRUE(convolve(s.input(), *pyramid, Boundary::reflect, region, part).ok());
      const auto inside = touched(*s.access, region);
      for (std::size_t i = 0; i < part.size(); ++i) {
        ASSERT_EQ(part[i], inside[i] ? full[i] : -77.0F) << i;
      }
    }
  }
}

TEST(Convolution, SameBytesForAnyNumberOfThreads) {
  const Sample s(test::random_access({{40, 40, 40}, 31, 0.6, true}));
  const auto pyramid = StencilPyramid::create(gaussian_stencil({1, 1, 1}), StencilMode::restricted,
                                              true, s.access->level_max());
  ASSERT_TRUE(pyramid.ok());
  set_thread_count(1);
  const auto one = run(s, *pyramid, Boundary::reflect);
  for (const int threads : {2, 7}) {
    set_thread_count(threads);
    EXPECT_EQ(run(s, *pyramid, Boundary::reflect), one);
  }
  set_thread_count(0);
}

TEST(Convolution, StopsWhenAskedTo) {
  const Sample s(test::random_access({{32, 32, 32}, 2, 0.7, true}));
  const auto pyramid = StencilPyramid::create(box_stencil({3, 3, 3}), StencilMode::same, true,
                                              s.access->level_max());
  ASSERT_TRUE(pyramid.ok());
  std::stop_source stop;
  stop.request_stop();
  std::vector<float> out(s.access->count());
  const Status done =
      convolve(s.input(), *pyramid, Boundary::reflect, s.all(), out, JobContext(stop.get_token()));
  ASSERT_FALSE(done.ok());
  EXPECT_TRUE(done.error().cancelled());
}

TEST(Convolution, WrongSizesAreErrors) {
  const Sample s(test::random_access({{8, 8, 8}, 2, 0.7, true}));
  const auto pyramid = StencilPyramid::create(box_stencil({3, 3, 3}), StencilMode::same, true,
                                              s.access->level_max());
  std::vector<float> out(s.access->count() + 1);
  EXPECT_FALSE(convolve(s.input(), *pyramid, Boundary::reflect, s.all(), out).ok());
  out.resize(s.access->count());
  EXPECT_FALSE(convolve(s.input(), *pyramid, Boundary::reflect, {{0, 0, 0}, {9, 8, 8}}, out).ok());
  const auto short_pyramid =
      StencilPyramid::create(box_stencil({3, 3, 3}), StencilMode::same, true, 1);
  EXPECT_FALSE(convolve(s.input(), *short_pyramid, Boundary::reflect, s.all(), out).ok());
}

TEST(StatisticSize, IsTheNearestOddNumberOfCells) {
  const auto cells = [](std::int64_t n, int delta_level) {
    const Size3 size = statistic_size({{n, 1, n}, StencilMode::restricted}, delta_level);
    EXPECT_EQ(size.x, 1);
    EXPECT_EQ(size.z, size.y);
    return size.y;
  };
  for (const std::int64_t n : {1, 3, 5, 7, 9, 11, 21, 63}) {
    EXPECT_EQ(cells(n, 0), n);
    for (const int delta_level : {1, 2, 3, 6, 60}) {
      // By trying all of them.
      const double wanted = std::ldexp(static_cast<double>(n), -delta_level);
      std::int64_t nearest = 1;
      for (std::int64_t k = 3; k <= 63; k += 2) {
        if (std::abs(double(k) - wanted) < std::abs(double(nearest) - wanted)) nearest = k;
      }
      EXPECT_EQ(cells(n, delta_level), nearest) << n << ' ' << delta_level;
    }
  }
  EXPECT_EQ(statistic_size(Size3{3, 5, 7}, 4), (Size3{3, 5, 7}));
}

class Statistic : public testing::TestWithParam<std::tuple<LocalStatistic, Size3, Boundary>> {};

double naive_statistic(LocalStatistic statistic, std::vector<double> v) {
  const auto n = static_cast<double>(v.size());
  const double mean = std::accumulate(v.begin(), v.end(), 0.0) / n;
  std::sort(v.begin(), v.end());
  switch (statistic) {
    case LocalStatistic::mean:
      return mean;
    case LocalStatistic::standard_deviation: {
      double squares = 0.0;
      for (const double x : v) squares += (x - mean) * (x - mean);
      return std::sqrt(squares / n);
    }
    case LocalStatistic::median:
      return v[v.size() / 2];
    case LocalStatistic::min:
      return v.front();
    case LocalStatistic::max:
      break;
  }
  return v.back();
}

TEST_P(Statistic, EqualsBruteForceOnParticlesAndPixels) {
  const auto [statistic, size, boundary] = GetParam();
  const test::NaiveFilter naive{
      [n = size](int) { return n; },
      [which = statistic](int, const std::vector<double>& v) { return naive_statistic(which, v); }};
  const Sample s(test::random_access({{14, 21, 27}, 17, 0.6, true}));
  std::vector<float> out(s.access->count());
  ASSERT_TRUE(local_statistic(s.input(), statistic, size, boundary, s.all(), out).ok());
  expect_close(out, test::naive_filter(*s.access, s.values, s.tree, boundary, naive), 1e-5);

  // As wide in pixels on every level; the mean weighs cells.
  const StatisticBox pixels_wide(size, StencilMode::restricted);
  const int finest = s.access->level_max();
  test::NaiveFilter by_level = naive;
  by_level.size = [&](int level) { return statistic_size(pixels_wide, finest - level); };
  const auto boxes =
      StencilPyramid::create(box_stencil(size), StencilMode::restricted, false, finest);
  if (statistic == LocalStatistic::mean) by_level = test::naive_correlation(*boxes);
  ASSERT_TRUE(local_statistic(s.input(), statistic, pixels_wide, boundary, s.all(), out).ok());
  expect_close(out, test::naive_filter(*s.access, s.values, s.tree, boundary, by_level), 1e-5);
  EXPECT_FALSE(
      local_statistic(s.input(), statistic, {size, StencilMode::rescaled}, boundary, s.all(), out)
          .ok());

  const Sample full(test::full_access({7, 12, 19}));
  Pixels<float> image({7, 12, 19});
  image.values = full.values;
  Pixels<float> pixels(image.size);
  ASSERT_TRUE(
      local_statistic_pixels(image, statistic, size, boundary, whole(image.size), pixels).ok());
  expect_close(pixels.values,
               test::naive_filter(*full.access, full.values, full.tree, boundary, naive), 1e-5);
}

INSTANTIATE_TEST_SUITE_P(
    All, Statistic,
    testing::Combine(testing::Values(LocalStatistic::mean, LocalStatistic::standard_deviation,
                                     LocalStatistic::median, LocalStatistic::min,
                                     LocalStatistic::max),
                     testing::Values(Size3{3, 3, 3}, Size3{1, 5, 3}, Size3{7, 7, 7}),
                     testing::Values(Boundary::reflect, Boundary::zero)));

TEST(StandardDeviation, IsSoundOnALargeOffset) {
  Sample s(test::full_access({5, 5, 5}));
  for (std::size_t i = 0; i < s.values.size(); ++i) {
    s.values[i] = 1e7F + static_cast<float>(i % 2);
  }
  std::vector<float> out(s.values.size());
  ASSERT_TRUE(local_statistic(s.input(), LocalStatistic::standard_deviation, Size3{5, 5, 5},
                              Boundary::reflect, s.all(), out)
                  .ok());
  // The centre sees all 125 values: 62 ones.
  EXPECT_NEAR(out[62], std::sqrt(62.0 / 125 * 63.0 / 125), 1e-6);
}

TEST(GradientMagnitude, IsTheLengthOfTheComponents) {
  const Sample s(test::random_access({{18, 22, 40}, 19, 0.6, true}));
  std::vector<StencilPyramid> components;
  std::vector<std::vector<double>> parts;
  for (const Axis axis : {Axis::z, Axis::x, Axis::y}) {
    components.push_back(StencilPyramid::create(sobel_stencil(axis), StencilMode::rescaled, false,
                                                s.access->level_max())
                             .value());
    parts.push_back(test::naive_filter(*s.access, s.values, s.tree, Boundary::reflect,
                                       test::naive_correlation(components.back())));
  }
  std::vector<double> expected(s.access->count());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    expected[i] = std::sqrt(parts[0][i] * parts[0][i] + parts[1][i] * parts[1][i] +
                            parts[2][i] * parts[2][i]);
  }
  std::vector<float> out(s.access->count());
  ASSERT_TRUE(gradient_magnitude(s.input(), components, Boundary::reflect, s.all(), out).ok());
  expect_close(out, expected);
}

TEST(GradientMagnitude, OfComponentsOfDifferentSizeOnPixels) {
  Pixels<float> ramp({6, 7, 8});
  for (std::int64_t z = 0; z < 6; ++z)
    for (std::int64_t x = 0; x < 7; ++x)
      for (std::int64_t y = 0; y < 8; ++y) {
        ramp.at(z, x, y) = static_cast<float>(2 * z + 3 * x + 6 * y);
      }
  Pixels<float> out(ramp.size);
  ASSERT_TRUE(
      gradient_magnitude_pixels(ramp,
                                {central_difference_stencil(Axis::z), sobel_stencil(Axis::x),
                                 central_difference_stencil(Axis::y)},
                                Boundary::reflect, whole(ramp.size), out)
          .ok());
  EXPECT_FLOAT_EQ(out.at(3, 3, 3), 7.0F);  // √(4 + 9 + 36)
}

TEST(PixelFilter, ARegionAgreesWithTheWholeBitForBit) {
  const Size3 size{15, 33, 600};
  Pixels<float> image(size);
  image.values = test::random_values(static_cast<std::uint64_t>(size.count()), 5);
  for (const Stencil& stencil :
       {test::counting_stencil({3, 3, 3}), gaussian_stencil({1.5, 1.5, 1.5})}) {
    Pixels<float> full(size);
    ASSERT_TRUE(convolve_pixels(image, stencil, Boundary::reflect, whole(size), full).ok());
    for (const Region& region : some_regions(size)) {
      Pixels<float> part(size, -77.0F);
      ASSERT_TRUE(convolve_pixels(image, stencil, Boundary::reflect, region, part).ok());
      for (std::int64_t z = 0; z < size.z; ++z)
        for (std::int64_t x = 0; x < size.x; ++x)
          for (std::int64_t y = 0; y < size.y; ++y) {
            const bool inside = z >= region.begin.z && z < region.end.z && x >= region.begin.x &&
                                x < region.end.x && y >= region.begin.y && y < region.end.y;
            ASSERT_EQ(part.at(z, x, y), inside ? full.at(z, x, y) : -77.0F);
          }
    }
  }
}

}  // namespace
}  // namespace aprscope
