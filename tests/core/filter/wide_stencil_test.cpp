// Filters with stencils that are too wide to be written out.
#include <limits>

#include <gtest/gtest.h>

#include "core/filter/convolution.hpp"
#include "core/filter/correlation_plan.hpp"
#include "core/filter/pixel_filter.hpp"
#include "tests/core/filter/naive.hpp"

namespace aprscope {
namespace {

using test::Sample;

constexpr std::array<double, 3> kSigma{9.0, 10.5, 11.0};
constexpr Size3 kSize{65, 65, 67};

std::vector<float> on_particles(const Sample& s, const Stencil& stencil, StencilMode mode,
                                bool normalize, Boundary boundary) {
  const auto pyramid = StencilPyramid::create(stencil, mode, normalize, s.access->level_max());
  EXPECT_TRUE(pyramid.ok());
  std::vector<float> out(s.access->count(), std::numeric_limits<float>::quiet_NaN());
  EXPECT_TRUE(convolve(s.input(), *pyramid, boundary, s.all(), out).ok());
  return out;
}

TEST(WideFilter, ParticlesGetTheBytesOfTheStencilWrittenOut) {
  const Sample s(test::random_access({{24, 20, 28}, 5, 0.6, true}));
  const Stencil wide = wide_gaussian_stencil(kSigma, kSize);
  ASSERT_TRUE(wide.lines.has_value());
  const Stencil full = gaussian_stencil(kSigma, kSize);
  for (const Boundary boundary : {Boundary::reflect, Boundary::zero}) {
    EXPECT_EQ(on_particles(s, wide, StencilMode::same, false, boundary),
              on_particles(s, full, StencilMode::same, false, boundary));
    // Averaged over cells and scaled, sums are rounded in another order.
    const auto a = on_particles(s, wide, StencilMode::restricted, true, boundary);
    const auto b = on_particles(s, full, StencilMode::restricted, true, boundary);
    for (std::size_t i = 0; i < a.size(); ++i) {
      ASSERT_NEAR(a[i], b[i], 1e-6 * std::abs(b[i]) + 1e-9) << i;
    }
  }
}

TEST(WideFilter, PixelsGetTheBytesOfTheStencilWrittenOut) {
  const Size3 size{7, 40, 90};
  Pixels<float> image(size);
  for (std::size_t i = 0; i < image.values.size(); ++i) {
    image.values[i] = static_cast<float>(i * i % 1009);
  }
  const Stencil wide = wide_gaussian_stencil(kSigma, kSize);
  for (const Boundary boundary : {Boundary::reflect, Boundary::zero}) {
    Pixels<float> a(size);
    Pixels<float> b(size);
    ASSERT_TRUE(convolve_pixels(image, wide, boundary, whole(size), a).ok());
    ASSERT_TRUE(
        convolve_pixels(image, gaussian_stencil(kSigma, kSize), boundary, whole(size), b).ok());
    EXPECT_EQ(a.values, b.values);
  }
}

TEST(WideFilter, CostsThreePasses) {
  const CorrelationPlan plan = plan_correlation(wide_gaussian_stencil({100, 100, 100}));
  EXPECT_EQ(plan.scheme, CorrelationScheme::passes);
  EXPECT_EQ(plan.products, 3 * 601);
}

}  // namespace
}  // namespace aprscope
