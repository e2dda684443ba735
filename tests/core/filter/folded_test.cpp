#include <algorithm>
#include <cmath>
#include <tuple>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "core/filter/correlation_plan.hpp"
#include "core/filter/folded_stencil.hpp"
#include "core/filter/pixel_filter.hpp"
#include "core/filter/repeated_filter.hpp"
#include "tests/core/filter/naive.hpp"

// Stencils that are symmetric in some dimensions are applied in fewer products.
namespace aprscope {
namespace {

using detail::Mirrored;
using test::Sample;

// Random weights, both signs, mirrored where asked to.
Stencil random_stencil(const Size3& n, const Mirrored& m, std::uint64_t seed = 5) {
  Stencil s{n, std::vector<double>(static_cast<std::size_t>(n.count())), "random"};
  const std::vector<float> random = test::random_values(s.weights.size(), seed);
  const auto folded = [](std::int64_t i, std::int64_t size, bool mirrored) {
    return mirrored ? std::min(i, size - 1 - i) : i;
  };
  std::size_t i = 0;
  for (std::int64_t z = 0; z < n.z; ++z) {
    for (std::int64_t x = 0; x < n.x; ++x) {
      for (std::int64_t y = 0; y < n.y; ++y) {
        const std::int64_t from =
            (folded(z, n.z, m.z) * n.x + folded(x, n.x, m.x)) * n.y + folded(y, n.y, m.y);
        s.weights[i++] = static_cast<double>(random[static_cast<std::size_t>(from)]) - 300.0;
      }
    }
  }
  return s;
}

double absolute_sum(const Stencil& s) {
  double sum = 0.0;
  for (const double w : s.weights) sum += std::abs(w);
  return sum;
}

// Values are at most 1000.
double allowed(const Stencil& s) { return 1e-6 * absolute_sum(s) * 1000.0; }

Pixels<float> random_image(const Size3& size) {
  Pixels<float> image(size);
  image.values = test::random_values(image.values.size(), 41);
  return image;
}

struct Shape {
  Size3 stencil;
  Mirrored mirrored;
  bool folds = true;
};

constexpr Mirrored kAll{true, true, true};
const Shape kShapes[] = {
    {{13, 13, 13}, kAll},
    {{13, 13, 13}, {true, true, false}},
    {{7, 7, 7}, kAll},
    {{7, 7, 7}, {true, false, true}},
    {{7, 7, 7}, {false, true, true}},
    {{9, 9, 9}, {true, true, false}},
    {{3, 5, 13}, kAll},
    {{13, 5, 3}, kAll},
    {{5, 13, 3}, {true, true, false}},
    {{13, 9, 1}, kAll},
    {{1, 11, 13}, kAll},
    {{11, 1, 13}, kAll},
    {{5, 5, 19}, kAll},  // more sums along y than registers hold
    {{5, 5, 35}, kAll},  // … and a radius of more than a block
    {{1, 7, 1}, kAll, false},
    {{3, 3, 3}, kAll, false},
    {{13, 13, 13}, {false, false, false}, false},
};

class FoldedShape : public testing::TestWithParam<std::tuple<Shape, Boundary>> {};

TEST_P(FoldedShape, EqualsBruteForceOnParticles) {
  const auto& [shape, boundary] = GetParam();
  const Sample s(test::random_access({{23, 30, 45}, 4, 0.6, true}));
  const Stencil stencil = random_stencil(shape.stencil, shape.mirrored);
  ASSERT_EQ(plan_correlation(stencil).scheme == CorrelationScheme::folded, shape.folds);
  for (const StencilMode mode :
       {StencilMode::same, StencilMode::restricted, StencilMode::rescaled}) {
    const auto pyramid = StencilPyramid::create(stencil, mode, false, s.access->level_max());
    ASSERT_TRUE(pyramid.ok());
    std::vector<float> out(s.access->count());
    ASSERT_TRUE(convolve(s.input(), *pyramid, boundary, s.all(), out).ok());
    const auto expected = test::naive_filter(*s.access, s.values, s.tree, boundary,
                                             test::naive_correlation(*pyramid));
    for (std::size_t i = 0; i < out.size(); ++i) {
      ASSERT_NEAR(out[i], expected[i], allowed(stencil)) << "particle " << i;
    }
  }
}

TEST_P(FoldedShape, EqualsBruteForceOnPixels) {
  const auto& [shape, boundary] = GetParam();
  const Stencil stencil = random_stencil(shape.stencil, shape.mirrored);
  for (const Size3& size : {Size3{11, 23, 41}, Size3{6, 3, 260}}) {
    const Pixels<float> image = random_image(size);
    Pixels<float> out(size);
    ASSERT_TRUE(convolve_pixels(image, stencil, boundary, whole(size), out).ok());
    for (std::int64_t z = 0; z < size.z; ++z) {
      for (std::int64_t x = 0; x < size.x; ++x) {
        for (std::int64_t y = (z + x) % 3; y < size.y; y += 3) {
          const auto near = test::neighbourhood(image, {z, x, y}, stencil.size, boundary);
          double sum = 0.0;
          for (std::size_t k = 0; k < near.size(); ++k) sum += stencil.weights[k] * near[k];
          ASSERT_NEAR(out.at(z, x, y), sum, allowed(stencil)) << z << ' ' << x << ' ' << y;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, FoldedShape,
                         testing::Combine(testing::ValuesIn(kShapes),
                                          testing::Values(Boundary::reflect, Boundary::zero)));

TEST(Folded, ImagesSmallerThanTheStencilAndOfOneRow) {
  const Stencil stencil = random_stencil({7, 9, 13}, kAll);
  for (const Size3 size : {Size3{1, 1, 50}, Size3{1, 40, 30}, Size3{2, 3, 4}, Size3{1, 1, 1},
                           Size3{5, 1, 300}, Size3{3, 2, 1}}) {
    const Sample s(test::random_access({size, 3, 0.7, true}));
    const auto pyramid =
        StencilPyramid::create(stencil, StencilMode::same, false, s.access->level_max());
    ASSERT_TRUE(pyramid.ok());
    for (const Boundary boundary : {Boundary::reflect, Boundary::zero}) {
      std::vector<float> out(s.access->count());
      ASSERT_TRUE(convolve(s.input(), *pyramid, boundary, s.all(), out).ok());
      const auto expected = test::naive_filter(*s.access, s.values, s.tree, boundary,
                                               test::naive_correlation(*pyramid));
      for (std::size_t i = 0; i < out.size(); ++i) {
        ASSERT_NEAR(out[i], expected[i], allowed(stencil)) << i;
      }
    }
  }
}

// One weight that differs in its last bit, at each place of a stencil in turn: the result of an
// impulse are the weights themselves, so that the bit is seen.
TEST(Folded, OneWeightThatIsOffByOneUlpKeepsItsBit) {
  const Size3 n{5, 5, 5};
  const Stencil symmetric = random_stencil(n, kAll);
  Pixels<float> image({9, 9, 21}, 0.0F);
  image.at(4, 4, 10) = 1.0F;
  for (std::size_t at = 0; at < symmetric.weights.size(); at += 3) {
    Stencil almost = symmetric;
    almost.weights[at] = std::nextafter(static_cast<float>(almost.weights[at]), 1e9F);
    const auto plan = plan_correlation(almost);
    if (at != almost.weights.size() / 2) {
      EXPECT_GT(plan.products, plan_correlation(symmetric).products);
    }
    Pixels<float> out(image.size);
    ASSERT_TRUE(convolve_pixels(image, almost, Boundary::zero, whole(image.size), out).ok());
    std::size_t i = 0;
    for (std::int64_t z = 0; z < n.z; ++z) {
      for (std::int64_t x = 0; x < n.x; ++x) {
        for (std::int64_t y = 0; y < n.y; ++y, ++i) {
          ASSERT_EQ(out.at(6 - z, 6 - x, 12 - y), static_cast<float>(almost.weights[i]))
              << at << ' ' << i;
        }
      }
    }
  }
}

TEST(Folded, SymmetryIsFoundADimension) {
  for (int bits = 0; bits < 8; ++bits) {
    const Mirrored m{(bits & 4) != 0, (bits & 2) != 0, (bits & 1) != 0};
    const Stencil s = random_stencil({5, 3, 7}, m);
    const std::vector<float> weights(s.weights.begin(), s.weights.end());
    const Mirrored found = detail::mirrored_dimensions(s.size, weights);
    EXPECT_EQ(found.z, m.z);
    EXPECT_EQ(found.x, m.x);
    EXPECT_EQ(found.y, m.y);
    const detail::FoldedStencil folded(s.size, weights);
    EXPECT_EQ(folded.terms, (Size3{m.z ? 3 : 5, m.x ? 2 : 3, m.y ? 4 : 7}));
    EXPECT_EQ(folded.weights.size(), static_cast<std::size_t>(folded.terms.count()));
  }
}

TEST(Folded, RestrictedStencilsStayExactlySymmetric) {
  for (const Size3& size : {Size3{13, 13, 13}, Size3{5, 11, 7}, Size3{1, 9, 21}}) {
    const Stencil stencil = random_stencil(size, kAll);
    for (const bool normalize : {false, true}) {
      const auto pyramid = StencilPyramid::create(stencil, StencilMode::restricted, normalize, 6);
      ASSERT_TRUE(pyramid.ok());
      for (int l = 0; l <= 6; ++l) {
        const Stencil& s = pyramid->at(l);
        for (std::size_t i = 0; i < s.weights.size(); ++i) {
          const auto at = static_cast<std::int64_t>(i);
          const std::int64_t y = at % s.size.y;
          const std::int64_t x = at / s.size.y % s.size.x;
          const std::int64_t z = at / s.size.y / s.size.x;
          const auto weight = [&](std::int64_t a, std::int64_t b, std::int64_t c) {
            return s.weights[static_cast<std::size_t>((a * s.size.x + b) * s.size.y + c)];
          };
          ASSERT_EQ(s.weights[i], weight(s.size.z - 1 - z, x, y)) << "level " << l;
          ASSERT_EQ(s.weights[i], weight(z, s.size.x - 1 - x, y)) << "level " << l;
          ASSERT_EQ(s.weights[i], weight(z, x, s.size.y - 1 - y)) << "level " << l;
        }
      }
    }
  }
}

TEST(Folded, SameBytesForAnyNumberOfThreadsAndInstructionSetsAndRegions) {
  const Sample s(test::random_access({{40, 44, 300}, 31, 0.6, true}));
  const Stencil stencil = random_stencil({7, 9, 13}, kAll);
  const auto pyramid =
      StencilPyramid::create(stencil, StencilMode::restricted, false, s.access->level_max());
  ASSERT_TRUE(pyramid.ok());
  const auto run = [&](const Region& region) {
    std::vector<float> out(s.access->count(), -77.0F);
    EXPECT_TRUE(convolve(s.input(), *pyramid, Boundary::reflect, region, out).ok());
    return out;
  };
  set_thread_count(1);
  const auto one = run(s.all());
  for (const int threads : {2, 7}) {
    set_thread_count(threads);
    EXPECT_EQ(run(s.all()), one);
  }
  set_thread_count(0);
  for (const Region& region :
       {Region{{7, 0, 0}, {8, 44, 300}}, Region{{0, 11, 0}, {40, 12, 300}},
        Region{{0, 0, 20}, {40, 44, 21}}, Region{{39, 43, 299}, {40, 44, 300}}}) {
    const auto part = run(region);
    std::size_t written = 0;
    for (std::size_t i = 0; i < part.size(); ++i) {
      if (part[i] == -77.0F) continue;
      ++written;
      ASSERT_EQ(part[i], one[i]) << i;
    }
    EXPECT_GT(written, 0U);
  }
  const auto filter = repeated_convolution(s.access, *pyramid, Boundary::reflect);
  ASSERT_TRUE(filter.ok());
  std::vector<float> again(s.access->count());
  for (int round = 0; round < 2; ++round) {
    ASSERT_TRUE((*filter)->apply(s.values, s.tree, again, {}).ok());
    EXPECT_EQ(again, one);
  }
}

}  // namespace
}  // namespace aprscope
