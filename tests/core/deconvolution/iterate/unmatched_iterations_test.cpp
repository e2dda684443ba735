// Richardson–Lucy with a Wiener–Butterworth back projector: by the formula, on pixels and particles
// alike, and as the start of iterations with the flipped PSF.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "core/deconvolution/blur/full_psf_blur.hpp"
#include "core/deconvolution/iterate/richardson_lucy.hpp"
#include "core/deconvolution/psf/back_projector.hpp"
#include "tests/core/deconvolution/naive_blur.hpp"
#include "tests/core/deconvolution/richardson_lucy_fixture.hpp"

namespace aprscope {
namespace {

using test::deconvolve;
using test::Matrix;

Stencil gaussian() { return gaussian_stencil({0.9, 1.1, 1.0}, {5, 7, 7}).normalized(); }

// One update after the other in double precision: `fast` of them by `back`, the rest by `adjoint`.
std::vector<double> by_formula(const Matrix& h, const Matrix& back, const Matrix& adjoint,
                               const std::vector<double>& weights, const std::vector<double>& u,
                               int fast, int iterations) {
  std::vector<double> x = u;
  const std::size_t n = u.size();
  double flux = 0.0;
  for (std::size_t i = 0; i < n; ++i) flux += weights[i] * u[i];
  for (int k = 0; k < iterations; ++k) {
    const Matrix& by = k < fast ? back : adjoint;
    const std::vector<double> ones = by.times(std::vector<double>(n, 1.0));
    std::vector<double> r = h.times(x);
    for (std::size_t i = 0; i < n; ++i) r[i] = u[i] / r[i];
    const std::vector<double> c = by.times(r);
    double now = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      x[i] *=
          (k < fast ? std::max(c[i], 0.01) : c[i]) / (k < fast ? std::max(ones[i], 0.1) : ones[i]);
      now += weights[i] * x[i] * ones[i];
    }
    for (double& v : x) v *= flux / now;
  }
  return x;
}

TEST(UnmatchedIterations, AgreeWithTheFormula) {
  const Stencil psf = gaussian();
  const Stencil kernel = wiener_butterworth(psf, {1e-2, 0.05, 6}, {9, 9, 9}).value();
  for (const Boundary boundary : {Boundary::reflect, Boundary::zero}) {
    const auto s = test::on_pixels({8, 9, 11}, psf, boundary, PixelBlurMethod::passes);
    const auto access = test::full_access({8, 9, 11});
    const Matrix back = test::blur_matrix(*access, kernel, boundary);
    for (const int iterations : {2, 3, 6}) {
      RichardsonLucyOptions options;
      options.iterations = iterations;
      options.unmatched = 3;
      options.back_projector =
          make_pixel_blur({8, 9, 11}, kernel, boundary, PixelBlurMethod::fft).value();
      const Deconvolved out = deconvolve(*s.model, s.image, options);
      EXPECT_EQ(out.iterations, iterations);
      const auto wanted =
          by_formula(s.h, back, s.back, s.weights, test::to_double(s.image), 3, iterations);
      const double largest = *std::max_element(wanted.begin(), wanted.end());
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        ASSERT_NEAR(out.values[i], wanted[i], 1e-4 * largest)
            << iterations << " iterations, pixel " << i;
      }
    }
  }
}

TEST(UnmatchedIterations, OnParticlesThatAreAllPixelsAreThoseOfPixels) {
  const Size3 size{20, 22, 24};
  const auto access = test::full_access(size);
  std::vector<float> image = test::random_values(access->count(), 3, 0.0F, 100.0F);
  const Stencil psf = gaussian();
  const Stencil kernel = wiener_butterworth(psf, {}, {13, 13, 13}).value();
  RichardsonLucyOptions options;
  options.iterations = 4;
  options.unmatched = 3;
  const auto pixels = make_pixel_blur(size, psf, Boundary::reflect).value();
  options.back_projector =
      make_pixel_blur(size, kernel, Boundary::reflect, PixelBlurMethod::fft).value();
  const Deconvolved of_pixels = deconvolve(*pixels, image, options);
  const auto particles =
      make_particle_blur(access, psf, StencilMode::restricted, Boundary::reflect).value();
  options.back_projector =
      make_particle_blur(access, kernel, StencilMode::restricted, Boundary::reflect).value();
  const Deconvolved of_particles = deconvolve(*particles, image, options);
  const float largest = *std::max_element(of_pixels.values.begin(), of_pixels.values.end());
  for (std::size_t i = 0; i < image.size(); ++i) {
    ASSERT_NEAR(of_pixels.values[i], of_particles.values[i], 2e-4F * largest) << "pixel " << i;
  }
}

// A kernel of a near and a far part comes close: its far part is interpolated.
TEST(UnmatchedIterations, TakeAKernelInTwoParts) {
  const Size3 size{32, 32, 32};
  const auto access = test::full_access(size);
  const Stencil psf = gaussian_stencil({2.0, 2.0, 2.0}).normalized();
  const Stencil kernel = wiener_butterworth(psf, {}, {31, 31, 31}).value();
  auto light = test::sparse(access->count(), 10.0F);
  const auto model =
      make_particle_blur(access, psf, StencilMode::restricted, Boundary::reflect).value();
  std::vector<float> image(light.size());
  ASSERT_TRUE(model->forward(light, image, {}).ok());
  RichardsonLucyOptions options;
  options.iterations = 3;
  options.unmatched = 3;
  options.back_projector =
      make_particle_blur(access, kernel, StencilMode::restricted, Boundary::reflect).value();
  const Deconvolved whole = deconvolve(*model, image, options);
  FullPsfOptions in_parts;
  in_parts.tolerance = 0.05;
  options.back_projector =
      std::shared_ptr<BlurModel>(make_full_psf_blur(access, kernel, in_parts).value());
  const Deconvolved parts = deconvolve(*model, image, options);
  double difference = 0.0;
  double size_of_it = 0.0;
  for (std::size_t i = 0; i < light.size(); ++i) {
    difference += std::pow(whole.values[i] - parts.values[i], 2);
    size_of_it += std::pow(whole.values[i] - image[i], 2);
  }
  EXPECT_LT(std::sqrt(difference / size_of_it), 0.15) << "of what the iterations changed";
}

TEST(UnmatchedIterations, SharpenFasterAndLeaveNothingAtZero) {
  test::PointImage points;
  RichardsonLucyOptions options;
  options.iterations = 3;
  const double matched = points.error(deconvolve(*points.model, points.image, options).values);
  options.unmatched = 3;
  const Stencil kernel =
      wiener_butterworth(points.psf, {1e-2, 0.1, 10}, back_projector_size(points.psf, points.size))
          .value();
  options.back_projector =
      make_pixel_blur(points.size, kernel, Boundary::reflect, PixelBlurMethod::fft).value();
  const Deconvolved fast = deconvolve(*points.model, points.image, options);
  EXPECT_LT(points.error(fast.values), matched);
  EXPECT_GT(*std::min_element(fast.values.begin(), fast.values.end()), 0.0F);
  const double flux = std::accumulate(points.image.begin(), points.image.end(), 0.0);
  EXPECT_NEAR(std::accumulate(fast.values.begin(), fast.values.end(), 0.0), flux, 1e-4 * flux);
  // Iterations with the flipped PSF go on from there: each explains the image better.
  options.iterations = 10;
  for (const bool accelerate : {false, true}) {
    options.accelerate = accelerate;
    std::vector<double> likelihood;
    RichardsonLucyHooks hooks;
    hooks.observer = [&](const RichardsonLucyReport& r, std::span<const float>) {
      likelihood.push_back(r.likelihood);
    };
    const Deconvolved on = deconvolve(*points.model, points.image, options, nullptr, hooks);
    EXPECT_LT(points.error(on.values), points.error(fast.values));
    ASSERT_EQ(likelihood.size(), 10U);
    for (std::size_t i = 4; i < 10 && !accelerate; ++i) EXPECT_GE(likelihood[i], likelihood[i - 1]);
  }
}

// Beyond the image are zeros, and the kernel rings: at the border negative weights cancel nearly
// all of what ones become, and noise there was divided by next to nothing.
TEST(UnmatchedIterations, StayBoundedAtABorderThatZerosFollow) {
  const Size3 size{22, 41, 26};
  const auto image = test::random_values(static_cast<std::uint64_t>(size.count()), 48, 1.0F, 50.0F);
  const Stencil psf = test::tailed_psf({7, 9, 5}, 1.0);
  const Stencil kernel = wiener_butterworth(psf, {0.001, 0.01, 10}, {9, 13, 11}).value();
  const auto model = make_pixel_blur(size, psf, Boundary::zero).value();
  RichardsonLucyOptions options;
  options.unmatched = 3;
  options.back_projector =
      make_pixel_blur(size, kernel, Boundary::zero, PixelBlurMethod::fft).value();
  std::vector<float> ones(image.size());
  ASSERT_TRUE(
      options.back_projector->forward(std::vector<float>(image.size(), 1.0F), ones, {}).ok());
  ASSERT_LT(*std::min_element(ones.begin(), ones.end()), 0.0F) << "nothing is to be bounded";
  for (options.iterations = 1; options.iterations <= 3; ++options.iterations) {
    const Deconvolved out = deconvolve(*model, image, options);
    // A hundred times the image. Without a floor it was 5e8, 1e16 and 9e22.
    EXPECT_LT(*std::max_element(out.values.begin(), out.values.end()), 5000.0F)
        << options.iterations << " iterations";
  }
}

TEST(UnmatchedIterations, NeedABackProjectorOfTheSameData) {
  test::PointImage points;
  RichardsonLucyOptions options;
  options.unmatched = 1;
  EXPECT_FALSE(richardson_lucy(*points.model, points.image, options, nullptr, {}, {}));
  options.back_projector = make_pixel_blur({1, 8, 8}, points.psf, Boundary::reflect).value();
  EXPECT_FALSE(richardson_lucy(*points.model, points.image, options, nullptr, {}, {}));
}

}  // namespace
}  // namespace aprscope
