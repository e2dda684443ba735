#include "core/deconvolution/psf/back_projector.hpp"

#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include <gtest/gtest.h>

#include "core/deconvolution/psf/psf.hpp"
#include "tests/core/deconvolution/naive_blur.hpp"

namespace aprscope {
namespace {

using Frequency = std::array<double, 3>;

// The transform of a kernel about its middle, by its definition.
std::complex<double> transform(const Stencil& kernel, const Frequency& k) {
  std::complex<double> sum;
  std::size_t i = 0;
  const Size3& n = kernel.size;
  for (std::int64_t z = -(n.z / 2); z <= n.z / 2; ++z) {
    for (std::int64_t x = -(n.x / 2); x <= n.x / 2; ++x) {
      for (std::int64_t y = -(n.y / 2); y <= n.y / 2; ++y) {
        const double phase = k[0] * static_cast<double>(z) + k[1] * static_cast<double>(x) +
                             k[2] * static_cast<double>(y);
        sum += kernel.weights[i++] * std::polar(1.0, -2.0 * std::numbers::pi * phase);
      }
    }
  }
  return sum;
}

std::complex<double> wiener(std::complex<double> f, double alpha) {
  return (1.0 + alpha) * std::conj(f) / (std::norm(f) + alpha);
}

// The formula at one frequency, for a PSF of these widths.
std::complex<double> formula(const Stencil& psf, const Frequency& widths,
                             const WienerButterworth& options, const Frequency& k) {
  double at_cut_off = 0.0;
  double w2 = 0.0;
  for (std::size_t d = 0; d < 3; ++d) {
    Frequency on_axis{};
    on_axis[d] = 1.0 / widths[d];
    at_cut_off += std::abs(wiener(transform(psf, on_axis), options.alpha)) / 3.0;
    w2 += std::pow(k[d] * widths[d], 2);
  }
  const double epsilon = std::max(std::pow(at_cut_off / options.beta, 2) - 1.0, 0.0);
  return wiener(transform(psf, k), options.alpha) /
         std::sqrt(1.0 + epsilon * std::pow(w2, options.order));
}

void expect_formula(const Stencil& psf, const Frequency& widths, const Size3& size,
                    const WienerButterworth& options) {
  const auto made = wiener_butterworth(psf, options, size);
  ASSERT_TRUE(made) << made.error().message();
  ASSERT_EQ(made->size, size);
  EXPECT_NEAR(made->sum(), 1.0, 1e-9);
  double largest = 0.0;
  for (std::int64_t z = 0; z <= size.z / 2; ++z) {
    for (std::int64_t x = -(size.x / 2); x <= size.x / 2; x += 2) {
      for (std::int64_t y = -(size.y / 2); y <= size.y / 2; y += 3) {
        const Frequency k{static_cast<double>(z) / static_cast<double>(size.z),
                          static_cast<double>(x) / static_cast<double>(size.x),
                          static_cast<double>(y) / static_cast<double>(size.y)};
        const std::complex<double> wanted = formula(psf, widths, options, k);
        largest = std::max(largest, std::abs(wanted));
        EXPECT_LT(std::abs(transform(*made, k) - wanted), 1e-3)
            << z << " " << x << " " << y << ": " << wanted;
      }
    }
  }
  EXPECT_GT(largest, 1.1) << "the filter amplifies";
}

TEST(BackProjector, IsTheFormulaForAGaussian) {
  const Frequency sigma{1.4, 2.0, 1.7};
  const double width = 2.0 * std::sqrt(2.0 * std::log(2.0));
  const Stencil psf = gaussian_stencil(sigma).normalized();
  for (const double alpha : {1e-2, 1e-3}) {
    expect_formula(psf, {width * sigma[0], width * sigma[1], width * sigma[2]}, {15, 25, 21},
                   {alpha, 1e-2, 10});
  }
  expect_formula(psf, {width * sigma[0], width * sigma[1], width * sigma[2]}, {11, 13, 13},
                 {1e-3, 0.2, 4});
}

// One without any symmetry: what is computed has the sign of the flipped PSF.
TEST(BackProjector, IsTheFormulaForAMeasuredPsf) {
  const Stencil psf = test::tailed_psf({15, 17, 19}, 2.5, 0.5);
  expect_formula(psf, psf_report(psf).fwhm, {21, 25, 27}, {1e-3, 1e-2, 10});
}

TEST(BackProjector, LetsThroughBetaAtTheCutOff) {
  // A width of 5 pixels: the cut-off is a frequency of a grid of 25.
  const double sigma = 5.0 / (2.0 * std::sqrt(2.0 * std::log(2.0)));
  const Stencil psf = gaussian_stencil({sigma, sigma, sigma}).normalized();
  for (const double beta : {0.01, 0.1}) {
    const auto made = wiener_butterworth(psf, {1e-3, beta, 10}, {25, 25, 25});
    ASSERT_TRUE(made);
    for (const Frequency& k : {Frequency{0.2, 0, 0}, Frequency{0, 0.2, 0}, Frequency{0, 0, 0.2}}) {
      EXPECT_NEAR(std::abs(transform(*made, k)), beta, 0.002 * beta + 1e-5);
    }
  }
  const auto own = wiener_butterworth(psf, {1e-3, 0.0, 10}, {25, 25, 25});
  ASSERT_TRUE(own);
  EXPECT_NEAR(std::abs(transform(*own, {0, 0, 0.2})), std::abs(transform(psf, {0, 0, 0.2})), 1e-4);
}

TEST(BackProjector, OfAMirrorImageIsOne) {
  const Stencil psf = gaussian_stencil({1.2, 1.5, 2.0}).normalized();
  const auto made = wiener_butterworth(psf, {}, back_projector_size(psf, {200, 200, 200}));
  ASSERT_TRUE(made);
  EXPECT_EQ(std::vector<double>(made->weights.rbegin(), made->weights.rend()), made->weights);
  EXPECT_LT(*std::min_element(made->weights.begin(), made->weights.end()), 0.0);
}

TEST(BackProjector, IsFlatAlongAnAxisThatThePsfDoesNotHave) {
  const Stencil psf = gaussian_stencil({0.0, 2.0, 2.0}).normalized();
  const Size3 size = back_projector_size(psf, {1, 100, 100});
  EXPECT_EQ(size.z, 1);
  EXPECT_GE(size.x, 39) << "four widths of 4.7 pixels on each side";
  const auto made = wiener_butterworth(psf, {}, size);
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_NEAR(made->sum(), 1.0, 1e-9);
}

TEST(BackProjector, IsNoLargerThanTheImage) {
  const Stencil psf = gaussian_stencil({2.0, 2.0, 2.0}).normalized();
  EXPECT_EQ(back_projector_size(psf, {20, 21, 1000}).z, 19);
  EXPECT_EQ(back_projector_size(psf, {20, 21, 1000}).x, 21);
  EXPECT_LT(back_projector_size(psf, {20, 21, 1000}).y, 60);
}

TEST(BackProjector, SaysWhatItCannotDo) {
  const Stencil psf = gaussian_stencil({2.0, 2.0, 2.0}).normalized();
  EXPECT_FALSE(wiener_butterworth(psf, {}, {12, 13, 13})) << "an even size";
  EXPECT_FALSE(wiener_butterworth(psf, {}, {11, 13, 13})) << "less than the PSF";
  EXPECT_FALSE(wiener_butterworth(psf, {0.0, 0.01, 10}, {13, 13, 13}));
  EXPECT_FALSE(wiener_butterworth(psf, {0.001, -1.0, 10}, {13, 13, 13}));
  EXPECT_FALSE(wiener_butterworth(psf, {0.001, 0.01, 0}, {13, 13, 13}));
  const Stencil cut = truncate_psf(psf, {3, 13, 13});
  const auto narrow = wiener_butterworth(cut, {}, {3, 13, 13});
  ASSERT_FALSE(narrow) << "it has no width in z";
  EXPECT_NE(narrow.error().message().find("in z"), std::string::npos);
}

}  // namespace
}  // namespace aprscope
