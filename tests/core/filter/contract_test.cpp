#include <atomic>
#include <cmath>
#include <limits>
#include <stop_token>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "core/filter/pixel_filter.hpp"
#include "tests/core/filter/naive.hpp"

namespace aprscope {
namespace {

using test::Sample;

StencilPyramid pyramid_of(const Stencil& stencil, const Sample& s,
                          StencilMode mode = StencilMode::same) {
  return StencilPyramid::create(stencil, mode, false, s.access->level_max()).value();
}

// Stops at the first report of progress beyond the start, i.e. while the filter is at work.
TEST(FilterCancel, StopsInTheMiddleAndSaysSo) {
  // Many threads have begun all that there is before the first of them reports.
  set_thread_count(2);
  const Sample s(test::random_access({{64, 64, 64}, 2, 0.75, true}));
  Pixels<float> image({64, 64, 64}, 1.0F);
  const auto stopped = [](const std::function<Status(const JobContext&)>& filter) {
    std::stop_source source;
    std::atomic<double> last = 0.0;
    const JobContext context(source.get_token(), [&](double fraction, std::string_view) {
      last = fraction;
      if (fraction > 0.0) source.request_stop();
    });
    const Status done = filter(context);
    return !done.ok() && done.error().cancelled() && last > 0.0 && last < 1.0;
  };
  const StencilPyramid box = pyramid_of(box_stencil({3, 3, 3}), s);
  std::vector<float> out(s.access->count());
  EXPECT_TRUE(stopped([&](const JobContext& c) {
    return convolve(s.input(), box, Boundary::reflect, s.all(), out, c);
  }));
  EXPECT_TRUE(stopped([&](const JobContext& c) {
    return local_statistic(s.input(), LocalStatistic::median, Size3{3, 3, 3}, Boundary::reflect,
                           s.all(), out, c);
  }));
  EXPECT_TRUE(stopped([&](const JobContext& c) {
    return gradient_magnitude(s.input(), {box, box, box}, Boundary::reflect, s.all(), out, c);
  }));
  Pixels<float> result(image.size);
  EXPECT_TRUE(stopped([&](const JobContext& c) {
    return convolve_pixels(image, gaussian_stencil({2, 2, 2}), Boundary::reflect, whole(image.size),
                           result, c);
  }));
  set_thread_count(0);
}

// Every position of the stencil falls beyond the image somewhere, several reflections deep.
TEST(FilterSize, SeparableStencilsMuchWiderThanTheImage) {
  for (const Size3 size : {Size3{6, 9, 11}, Size3{1, 7, 20}, Size3{1, 1, 33}}) {
    const Sample s(test::random_access({size, 8, 0.7, true}));
    const Stencil wide = gaussian_stencil({4, 4, 4}, {25, 27, 29});
    const StencilPyramid pyramid = pyramid_of(wide, s);
    for (const Boundary boundary : {Boundary::reflect, Boundary::zero}) {
      std::vector<float> out(s.access->count());
      ASSERT_TRUE(convolve(s.input(), pyramid, boundary, s.all(), out).ok());
      const auto expected = test::naive_filter(*s.access, s.values, s.tree, boundary,
                                               test::naive_correlation(pyramid));
      for (std::size_t i = 0; i < out.size(); ++i) {
        ASSERT_NEAR(out[i], expected[i], 2e-6 * 1000.0) << i;  // Σ|w·v| ≤ 1000
      }
    }
  }
}

TEST(FilterSize, TwoWideDimensionsOfASeparableStencil) {
  const Sample s(test::random_access({{14, 22, 40}, 13, 0.6, true}));
  for (const Size3 size : {Size3{1, 11, 13}, Size3{13, 1, 11}, Size3{11, 13, 1}}) {
    const StencilPyramid pyramid = pyramid_of(gaussian_stencil({2.0, 2.5, 3.0}, size), s);
    std::vector<float> out(s.access->count());
    ASSERT_TRUE(convolve(s.input(), pyramid, Boundary::reflect, s.all(), out).ok());
    const auto expected = test::naive_filter(*s.access, s.values, s.tree, Boundary::reflect,
                                             test::naive_correlation(pyramid));
    for (std::size_t i = 0; i < out.size(); ++i) ASSERT_NEAR(out[i], expected[i], 2e-3) << i;
  }
}

// A value that is not finite reaches the cells whose stencil has a weight there, and no others.
TEST(FilterNonFinite, ReachesItsNeighboursOnly) {
  Sample s(test::full_access({9, 9, 40}));
  const std::size_t at = (4 * 9 + 4) * 40 + 20;
  s.values[at] = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> out(s.values.size());
  ASSERT_TRUE(
      convolve(s.input(), pyramid_of(laplacian_stencil(), s), Boundary::reflect, s.all(), out)
          .ok());
  int spread = 0;
  for (const float v : out) spread += std::isnan(v) ? 1 : 0;
  EXPECT_EQ(spread, 7);
}

TEST(StandardDeviation, OfAConstantIsZero) {
  Sample s(test::random_access({{20, 20, 20}, 14, 0.6, true}));
  std::fill(s.values.begin(), s.values.end(), 65535.3F);
  s.tree = test::naive_tree(*s.access, s.values, Reduction::mean);
  std::vector<float> out(s.values.size());
  ASSERT_TRUE(local_statistic(s.input(), LocalStatistic::standard_deviation, Size3{5, 5, 5},
                              Boundary::reflect, s.all(), out)
                  .ok());
  for (const float v : out) ASSERT_LE(v, 1e-8F * 65535.3F);
}

// In a plane or line there is no gradient across.
TEST(GradientMagnitude, LeavesOutDimensionsOfOnePixel) {
  for (const Size3 size : {Size3{1, 12, 30}, Size3{1, 1, 30}}) {
    const Sample s(test::full_access(size));
    std::vector<StencilPyramid> components;
    for (const Axis axis : {Axis::z, Axis::x, Axis::y}) {
      components.push_back(pyramid_of(central_difference_stencil(axis), s));
    }
    std::vector<float> out(s.values.size());
    ASSERT_TRUE(gradient_magnitude(s.input(), components, Boundary::reflect, s.all(), out).ok());
    const auto value = [&](std::int64_t x, std::int64_t y) {
      return static_cast<double>(s.values[static_cast<std::size_t>(x * size.y + y)]);
    };
    for (std::int64_t x = 1; x < size.x - 1 || (size.x == 1 && x == 1); ++x) {
      const std::int64_t row = size.x == 1 ? 0 : x;
      for (std::int64_t y = 1; y < size.y - 1; ++y) {
        const double gx = size.x == 1 ? 0.0 : (value(row + 1, y) - value(row - 1, y)) / 2;
        const double gy = (value(row, y + 1) - value(row, y - 1)) / 2;
        ASSERT_NEAR(out[static_cast<std::size_t>(row * size.y + y)], std::hypot(gx, gy), 1e-3);
      }
    }
  }
}

}  // namespace
}  // namespace aprscope
