#include "core/deconvolution/richardson_lucy.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <stop_token>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "tests/core/deconvolution/explicit_blur.hpp"

namespace aprscope {
namespace {

using test::Matrix;

// A model with what is needed to compute by the formula.
struct Sample {
  std::shared_ptr<const AprAccess> access;
  std::unique_ptr<BlurModel> model;
  Matrix h;
  Matrix back;
  std::vector<double> weights;
  std::vector<float> image;
};

Sample on_particles(const test::RandomAprOptions& options, const Stencil& psf, Boundary boundary) {
  auto access = test::random_access(options);
  return {access,
          make_particle_blur(access, psf, StencilMode::restricted, boundary).value(),
          test::blur_matrix(*access, psf, boundary),
          test::blur_matrix(*access, flipped(psf), boundary),
          test::volumes(*access),
          test::random_values(access->count(), options.seed + 1, 1.0F, 100.0F)};
}

Sample on_pixels(const Size3& size, const Stencil& psf, Boundary boundary, PixelBlurMethod method) {
  auto access = test::full_access(size);
  return {access,
          make_pixel_blur(size, psf, boundary, method).value(),
          test::blur_matrix(*access, psf, boundary),
          test::blur_matrix(*access, flipped(psf), boundary),
          test::volumes(*access),
          test::random_values(access->count(), 8, 1.0F, 100.0F)};
}

Deconvolved deconvolve(BlurModel& model, const std::vector<float>& image,
                       const RichardsonLucyOptions& options, Regulariser* regulariser = nullptr,
                       const RichardsonLucyHooks& hooks = {}) {
  auto out = richardson_lucy(model, image, options, regulariser, {}, hooks);
  EXPECT_TRUE(out.ok()) << (out.ok() ? "" : out.error().message());
  return *std::move(out);
}

double flux(const Sample& s, const std::vector<float>& values) {
  double sum = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += s.weights[i] * static_cast<double>(values[i]);
  }
  return sum;
}

// Blobs of light in the dark: a few cells of the finest level.
std::vector<float> sparse(std::size_t count, float background) {
  std::vector<float> x(count, background);
  for (std::size_t i = count / 7; i < count; i += count / 5) x[i] += 500.0F;
  return x;
}

TEST(RichardsonLucy, AgreesWithTheFormulaOnPixels) {
  const Stencil psf = test::skewed_psf({3, 5, 5});
  for (const Boundary boundary : {Boundary::reflect, Boundary::zero}) {
    for (const auto method : {PixelBlurMethod::fft, PixelBlurMethod::passes}) {
      const Sample s = on_pixels({6, 9, 11}, psf, boundary, method);
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
      const Sample s =
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
      Sample s = on_particles({{15, 13, 18}, 4, 0.7, true}, psf, Boundary::reflect);
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
      hooks.observer = [&](const IterationReport&, std::span<const float> x) {
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
        hooks.observer = [](const IterationReport& r, std::span<const float>) {
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
  Sample s =
      on_pixels({5, 6, 8}, test::skewed_psf({3, 3, 3}), Boundary::reflect, PixelBlurMethod::passes);
  RichardsonLucyOptions options;
  options.iterations = 10;
  const auto wanted = deconvolve(*s.model, s.image, options);
  const float power = std::ldexp(1.0F, 70);
  std::vector<float> large = s.image;
  for (float& v : large) v *= power;
  std::vector<float> seen;
  RichardsonLucyHooks hooks;
  hooks.observer = [&](const IterationReport&, std::span<const float> x) {
    seen.assign(x.begin(), x.end());
  };
  const auto out = deconvolve(*s.model, large, options, nullptr, hooks);
  EXPECT_EQ(seen, out.values);
  for (std::size_t i = 0; i < large.size(); ++i) {
    ASSERT_NEAR(out.values[i] / power, wanted.values[i], 1e-3F);
  }
}

TEST(RichardsonLucy, RefusesWhatItCannotUse) {
  Sample s =
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

// Points under a Gaussian: the truth is known.
struct Points {
  Size3 size{1, 32, 32};
  Stencil psf = gaussian_stencil({0, 1.5, 1.5}, {1, 13, 13}).normalized();
  std::unique_ptr<BlurModel> model =
      make_pixel_blur(size, psf, Boundary::reflect, PixelBlurMethod::fft).value();
  std::vector<float> truth = sparse(1024, 10.0F);
  std::vector<float> image = std::vector<float>(1024);
  Points() { EXPECT_TRUE(model->forward(truth, image, {}).ok()); }

  [[nodiscard]] double error(std::span<const float> x) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
      const double d = static_cast<double>(x[i]) - static_cast<double>(truth[i]);
      sum += d * d;
    }
    return std::sqrt(sum);
  }
};

TEST(RichardsonLucy, AccelerationSavesTwoThirdsOfTheIterations) {
  const Points p;
  RichardsonLucyOptions options;
  options.accelerate = true;
  options.iterations = 40;
  const double fast = p.error(deconvolve(*p.model, p.image, options).values);
  options.accelerate = false;
  EXPECT_LT(fast, p.error(deconvolve(*p.model, p.image, options).values));
  options.iterations = 120;
  EXPECT_LT(fast, p.error(deconvolve(*p.model, p.image, options).values));
}

TEST(RichardsonLucy, AccelerationGoesBackWhenTheLikelihoodFalls) {
  const Points p;
  RichardsonLucyOptions options;
  options.accelerate = true;
  options.iterations = 200;
  double best = -1.0;
  double last = -1.0;
  RichardsonLucyHooks hooks;
  hooks.observer = [&](const IterationReport& r, std::span<const float>) {
    last = r.likelihood;
    best = std::max(best, last);
  };
  deconvolve(*p.model, p.image, options, nullptr, hooks);
  EXPECT_GT(last, 1.2 * best);  // both are below 0
}

TEST(RichardsonLucy, LikelihoodRisesAndTheErrorFalls) {
  const Points p;
  std::vector<double> likelihood;
  std::vector<double> errors;
  RichardsonLucyHooks hooks;
  hooks.observer = [&](const IterationReport& r, std::span<const float> x) {
    EXPECT_EQ(static_cast<std::size_t>(r.iteration), likelihood.size() + 1);
    EXPECT_GE(r.seconds, 0.0);
    likelihood.push_back(r.likelihood);
    errors.push_back(p.error(x));
  };
  RichardsonLucyOptions options;
  options.iterations = 30;
  deconvolve(*p.model, p.image, options, nullptr, hooks);
  for (std::size_t i = 1; i < likelihood.size(); ++i) {
    EXPECT_GT(likelihood[i], likelihood[i - 1]);
    EXPECT_LE(likelihood[i], 1e-9);
    EXPECT_LT(errors[i], errors[i - 1]);
  }
  // By its definition: the start is the image.
  std::vector<float> blurred(p.image.size());
  ASSERT_TRUE(p.model->forward(p.image, blurred, {}).ok());
  double sum = 0.0;
  double total = 0.0;
  for (std::size_t i = 0; i < blurred.size(); ++i) {
    const double u = static_cast<double>(p.image[i]);
    const double b = static_cast<double>(blurred[i]);
    sum += u * std::log(u / b) - u + b;
    total += u;
  }
  EXPECT_NEAR(likelihood.front(), -sum / total, 1e-3 * sum / total);
}

TEST(RichardsonLucy, RegularisationSmoothsNoise) {
  const Points p;
  std::vector<float> noisy = p.image;
  const auto noise = test::random_values(1024, 77, -4.0F, 4.0F);
  for (std::size_t i = 0; i < noisy.size(); ++i) noisy[i] += noise[i];
  RichardsonLucyOptions options;
  options.iterations = 100;
  const auto variation = [&](const std::vector<float>& x) {
    double sum = 0.0;
    for (std::size_t i = 1; i < x.size(); ++i)
      sum += std::abs(static_cast<double>(x[i] - x[i - 1]));
    return sum;
  };
  const double plain = variation(deconvolve(*p.model, noisy, options).values);
  for (const auto kind : {Regularisation::total_variation, Regularisation::tikhonov_miller}) {
    const auto regulariser = make_pixel_regulariser(kind, p.size).value();
    options.regularisation = kind;
    options.strength = 0.02;
    EXPECT_LT(variation(deconvolve(*p.model, noisy, options, regulariser.get()).values),
              0.9 * plain);
  }
}

TEST(RichardsonLucy, SameBytesForAnyNumberOfThreadsAndWithOrWithoutAnObserver) {
  const auto access = test::random_access({{40, 40, 50}, 6, 0.8, true});
  const auto image = test::random_values(access->count(), 4, 0.0F, 100.0F);
  const Size3 size{20, 22, 60};
  const auto pixels = test::random_values(static_cast<std::uint64_t>(size.count()), 5);
  const Stencil psf = test::skewed_psf({5, 5, 5});
  RichardsonLucyOptions options;
  options.iterations = 4;
  for (const bool accelerate : {false, true}) {
    options.accelerate = accelerate;
    options.regularisation = Regularisation::total_variation;
    options.strength = 0.01;
    std::vector<std::vector<float>> results[2];
    for (const int threads : {1, 2, 5}) {
      set_thread_count(threads);
      RichardsonLucyHooks hooks;
      if (threads == 2) hooks.observer = [](const IterationReport&, std::span<const float>) {};
      const auto particles =
          make_particle_blur(access, psf, StencilMode::restricted, Boundary::reflect).value();
      const auto tv = make_particle_regulariser(Regularisation::total_variation, access).value();
      results[0].push_back(deconvolve(*particles, image, options, tv.get(), hooks).values);
      const auto fft = make_pixel_blur(size, psf, Boundary::reflect, PixelBlurMethod::fft).value();
      const auto pixel_tv = make_pixel_regulariser(Regularisation::total_variation, size).value();
      results[1].push_back(deconvolve(*fft, pixels, options, pixel_tv.get(), hooks).values);
    }
    set_thread_count(0);
    for (const auto& r : results) {
      EXPECT_EQ(r[0], r[1]);
      EXPECT_EQ(r[0], r[2]);
    }
  }
}

TEST(RichardsonLucy, CancelDiscardsAndKeepKeeps) {
  const Points p;
  RichardsonLucyOptions options;
  options.iterations = 50;
  std::stop_source stop;
  std::stop_source keep;
  std::vector<float> last;
  RichardsonLucyHooks hooks;
  hooks.keep = keep.get_token();
  hooks.observer = [&](const IterationReport& r, std::span<const float> x) {
    if (r.iteration == 7) keep.request_stop();
    last.assign(x.begin(), x.end());
  };
  const auto kept = richardson_lucy(*p.model, p.image, options, nullptr, {}, hooks);
  ASSERT_TRUE(kept.ok());
  EXPECT_TRUE(kept->partial);
  EXPECT_EQ(kept->iterations, 7);
  EXPECT_EQ(kept->values, last);
  options.iterations = 7;
  EXPECT_EQ(deconvolve(*p.model, p.image, options).values, last);

  options.iterations = 50;
  hooks.keep = {};
  hooks.observer = [&](const IterationReport& r, std::span<const float>) {
    EXPECT_LE(r.iteration, 3);
    if (r.iteration == 3) stop.request_stop();
  };
  const auto stopped =
      richardson_lucy(*p.model, p.image, options, nullptr, {}, hooks, JobContext(stop.get_token()));
  EXPECT_TRUE(!stopped.ok() && stopped.error().cancelled());
}

TEST(RichardsonLucy, EndsWhenTheChangeIsSmallAndContinuesFromAResult) {
  const Points p;
  RichardsonLucyOptions options;
  options.iterations = 500;
  options.stop_change = 1e-2;
  std::vector<double> changes;
  RichardsonLucyHooks hooks;
  hooks.observer = [&](const IterationReport& r, std::span<const float>) {
    changes.push_back(r.change);
  };
  const auto out = deconvolve(*p.model, p.image, options, nullptr, hooks);
  EXPECT_TRUE(out.converged);
  EXPECT_LT(out.iterations, 500);
  EXPECT_LE(changes.back(), 1e-2);
  EXPECT_GT(changes[changes.size() - 2], 1e-2);

  options.stop_change = 0.0;
  options.iterations = 30;
  const auto whole = deconvolve(*p.model, p.image, options);
  options.iterations = 12;
  const auto first = deconvolve(*p.model, p.image, options);
  options.iterations = 18;
  options.start = DeconvolutionStart::given;
  const auto second = richardson_lucy(*p.model, p.image, options, nullptr, first.values, {});
  ASSERT_TRUE(second.ok());
  EXPECT_EQ(second->values, whole.values);
}

TEST(RichardsonLucy, CountsNegativeValuesAsZero) {
  const Points p;
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
