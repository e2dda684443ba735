// What comes out: by the formula, for pixels and particles alike, and of odd images.
#include "core/deconvolution/iterate/richardson_lucy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "tests/core/deconvolution/richardson_lucy_fixture.hpp"

namespace aprscope {
namespace {

using test::deconvolve;
using test::flux;
using test::FormulaSample;
using test::on_particles;
using test::on_pixels;
using test::PointImage;

TEST(RichardsonLucy, AgreesWithTheFormulaOnPixels) {
  const Stencil psf = test::skewed_psf({3, 5, 5});
  for (const Boundary boundary : {Boundary::reflect, Boundary::zero}) {
    for (const auto method : {PixelBlurMethod::fft, PixelBlurMethod::passes}) {
      const FormulaSample s = on_pixels({6, 9, 11}, psf, boundary, method);
      RichardsonLucyOptions options;
      options.iterations = 20;
      const Deconvolved out = deconvolve(*s.model, s.image, options);
      const auto wanted =
          test::naive_richardson_lucy(s.h, s.back, s.weights, test::to_double(s.image),
                                      test::to_double(s.image), options.iterations);
      const double largest = *std::max_element(wanted.begin(), wanted.end());
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        ASSERT_NEAR(out.values[i], wanted[i], 2e-5 * largest) << s.model->description();
      }
      EXPECT_EQ(out.iterations, 20);
      EXPECT_FALSE(out.partial);
    }
  }
}

TEST(RichardsonLucy, AgreesWithTheFormulaOnParticles) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    for (const Boundary boundary : {Boundary::reflect, Boundary::zero}) {
      const FormulaSample s =
          on_particles({{10, 12, 13}, seed, 0.7, seed != 2}, test::skewed_psf({5, 3, 5}), boundary);
      RichardsonLucyOptions options;
      options.iterations = 15;
      options.start = DeconvolutionStart::constant;
      const Deconvolved out = deconvolve(*s.model, s.image, options);
      const double total = std::accumulate(s.weights.begin(), s.weights.end(), 0.0);
      const std::vector<double> start(s.image.size(), flux(s, s.image) / total);
      const auto wanted =
          test::naive_richardson_lucy(s.h, s.back, s.weights, test::to_double(s.image), start, 15);
      const double largest = *std::max_element(wanted.begin(), wanted.end());
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        ASSERT_NEAR(out.values[i], wanted[i], 3e-5 * largest) << "particle " << i;
      }
    }
  }
}

TEST(RichardsonLucy, EveryPixelAParticleIsPixels) {
  const Size3 size{16, 18, 20};
  const auto access = test::full_access(size);
  const auto image = test::random_values(access->count(), 3, 0.0F, 1000.0F);
  const Stencil psf = gaussian_stencil({1.5, 1.5, 1.5}, {9, 9, 9}).normalized();
  const auto particles =
      make_particle_blur(access, psf, StencilMode::restricted, Boundary::reflect).value();
  for (const auto kind :
       {Regularisation::none, Regularisation::total_variation, Regularisation::tikhonov_miller}) {
    RichardsonLucyOptions options;
    options.iterations = 10;
    options.regularisation = kind;
    options.strength = 0.002;
    for (const bool accelerate : {false, true}) {
      options.accelerate = accelerate;
      const auto a = make_particle_regulariser(kind, access).value();
      const auto wanted = deconvolve(*particles, image, options, a.get());
      for (const auto method : {PixelBlurMethod::fft, PixelBlurMethod::passes}) {
        const auto pixels = make_pixel_blur(size, psf, Boundary::reflect, method).value();
        const auto b = make_pixel_regulariser(kind, size).value();
        const auto out = deconvolve(*pixels, image, options, b.get());
        const float largest = *std::max_element(out.values.begin(), out.values.end());
        for (std::size_t i = 0; i < image.size(); ++i) {
          ASSERT_NEAR(out.values[i], wanted.values[i], 1e-5F * largest);
        }
      }
    }
  }
}

TEST(RichardsonLucy, KeepsTheFluxAndIsNeverNegative) {
  const Stencil psf = test::skewed_psf({5, 5, 5});
  for (const bool accelerate : {false, true}) {
    for (const auto kind : {Regularisation::none, Regularisation::total_variation}) {
      FormulaSample s = on_particles({{15, 13, 18}, 4, 0.7, true}, psf, Boundary::reflect);
      // Light in the corners, where reflection counts.
      s.image.front() = 5000.0F;
      s.image.back() = 8000.0F;
      const auto regulariser = make_particle_regulariser(kind, s.access).value();
      RichardsonLucyOptions options;
      options.iterations = 25;
      options.accelerate = accelerate;
      options.regularisation = kind;
      options.strength = 0.01;
      double worst = 0.0;
      RichardsonLucyHooks hooks;
      hooks.observer = [&](const RichardsonLucyReport&, std::span<const float> x) {
        const std::vector<float> now(x.begin(), x.end());
        worst = std::max(worst, std::abs(flux(s, now) / flux(s, s.image) - 1.0));
        EXPECT_GE(*std::min_element(x.begin(), x.end()), 0.0F);
      };
      deconvolve(*s.model, s.image, options, regulariser.get(), hooks);
      EXPECT_LT(worst, 2e-5);
    }
  }
}

TEST(RichardsonLucy, DarkRegionsStayDark) {
  const Size3 size{8, 8, 64};
  const auto access = test::full_access(size);
  std::vector<float> image(access->count(), 0.0F);
  for (std::size_t i = 0; i < image.size(); ++i) {
    if (i % 64 < 16) image[i] = static_cast<float>(i % 5);  // zeros among light too
  }
  const Stencil psf = gaussian_stencil({1, 1, 1}, {5, 5, 5}).normalized();
  std::vector<std::unique_ptr<BlurModel>> models;
  models.push_back(
      make_particle_blur(access, psf, StencilMode::restricted, Boundary::reflect).value());
  models.push_back(make_pixel_blur(size, psf, Boundary::reflect, PixelBlurMethod::fft).value());
  for (const auto& model : models) {
    for (const auto start : {DeconvolutionStart::image, DeconvolutionStart::constant}) {
      for (const bool accelerate : {false, true}) {
        RichardsonLucyOptions options;
        options.iterations = 20;
        options.start = start;
        options.accelerate = accelerate;
        const auto out = deconvolve(*model, image, options);
        const bool exact = start == DeconvolutionStart::image || !model->in_place();
        for (std::size_t i = 0; i < image.size(); ++i) {
          if (i % 64 < 24) continue;
          ASSERT_LE(out.values[i], exact ? 0.0F : 1e-6F) << i;
        }
        EXPECT_GT(out.values[7], 0.0F);
      }
    }
  }
}

TEST(RichardsonLucy, WhatIsFiniteStaysFinite) {
  const Size3 size{4, 6, 12};
  const Stencil psf = test::skewed_psf({3, 3, 5});
  const auto access = test::full_access(size);
  const auto base = test::random_values(access->count(), 5, 0.0F, 1.0F);
  std::vector<std::vector<float>> images;
  images.push_back(std::vector<float>(base.size(), 0.0F));
  images.push_back(std::vector<float>(base.size(), -3.0F));
  for (const float magnitude : {3.4e38F, 1e30F, 1e-30F, 1e-38F, 1e-44F}) {
    images.push_back(base);
    for (float& v : images.back()) v *= magnitude;
  }
  images.push_back(base);
  images.back()[7] = 3e38F;  // one value far above all others
  images.push_back(base);
  images.back()[9] = -3e38F;
  images.push_back(std::vector<float>(base.size(), 0.0F));
  images.back()[11] = 1.0F;
  for (const auto& image : images) {
    for (const bool particles : {false, true}) {
      const auto model =
          particles
              ? make_particle_blur(access, psf, StencilMode::restricted, Boundary::zero).value()
              : make_pixel_blur(size, psf, Boundary::zero, PixelBlurMethod::fft).value();
      for (const auto kind : {Regularisation::none, Regularisation::total_variation,
                              Regularisation::tikhonov_miller}) {
        const auto regulariser = make_pixel_regulariser(kind, size).value();
        RichardsonLucyOptions options;
        options.iterations = 12;
        options.accelerate = true;
        options.regularisation = kind;
        options.strength = 0.5;
        RichardsonLucyHooks hooks;
        hooks.observer = [](const RichardsonLucyReport& r, std::span<const float>) {
          EXPECT_TRUE(std::isfinite(r.likelihood) && std::isfinite(r.change));
        };
        const auto out = deconvolve(*model, image, options, regulariser.get(), hooks);
        for (const float v : out.values) ASSERT_TRUE(std::isfinite(v) && v >= 0.0F);
      }
    }
  }
}

// Scaling an image scales its result, however far from 1 the values are.
TEST(RichardsonLucy, TheUnitOfTheImageDoesNotMatter) {
  FormulaSample s =
      on_pixels({5, 6, 8}, test::skewed_psf({3, 3, 3}), Boundary::reflect, PixelBlurMethod::passes);
  RichardsonLucyOptions options;
  options.iterations = 10;
  const auto wanted = deconvolve(*s.model, s.image, options);
  const float power = std::ldexp(1.0F, 70);
  std::vector<float> large = s.image;
  for (float& v : large) v *= power;
  std::vector<float> seen;
  RichardsonLucyHooks hooks;
  hooks.observer = [&](const RichardsonLucyReport&, std::span<const float> x) {
    seen.assign(x.begin(), x.end());
  };
  const auto out = deconvolve(*s.model, large, options, nullptr, hooks);
  EXPECT_EQ(seen, out.values);
  for (std::size_t i = 0; i < large.size(); ++i) {
    ASSERT_NEAR(out.values[i] / power, wanted.values[i], 1e-3F);
  }
}

TEST(RichardsonLucy, RefusesWhatItCannotUse) {
  FormulaSample s =
      on_pixels({4, 4, 4}, test::skewed_psf({3, 3, 3}), Boundary::reflect, PixelBlurMethod::passes);
  const auto message = [&](const std::vector<float>& image, const RichardsonLucyOptions& options,
                           const std::vector<float>& given = {}) {
    const auto out = richardson_lucy(*s.model, image, options, nullptr, given, {});
    return out.ok() ? std::string("done") : out.error().message();
  };
  std::vector<float> bad = s.image;
  bad[3] = std::numeric_limits<float>::quiet_NaN();
  bad[5] = std::numeric_limits<float>::infinity();
  EXPECT_NE(message(bad, {}).find("2 values that are not finite"), std::string::npos);
  EXPECT_NE(message(std::vector<float>(63), {}).find("63"), std::string::npos);
  RichardsonLucyOptions options;
  options.iterations = 0;
  EXPECT_NE(message(s.image, options).find("iterations"), std::string::npos);
  options = {};
  options.start = DeconvolutionStart::given;
  EXPECT_NE(message(s.image, options).find("start"), std::string::npos);
  EXPECT_NE(message(s.image, options, bad).find("not finite"), std::string::npos);
  options = {};
  options.regularisation = Regularisation::total_variation;
  EXPECT_NE(message(s.image, options).find("regularisation"), std::string::npos);
}

TEST(RichardsonLucy, CountsNegativeValuesAsZero) {
  const PointImage p;
  std::vector<float> image = p.image;
  image[0] = -5.0F;
  image[900] = -1.0F;
  RichardsonLucyOptions options;
  options.iterations = 3;
  const auto out = deconvolve(*p.model, image, options);
  EXPECT_EQ(out.negatives, 2U);
  image[0] = image[900] = 0.0F;
  EXPECT_EQ(deconvolve(*p.model, image, options).values, out.values);
}

}  // namespace
}  // namespace aprscope
