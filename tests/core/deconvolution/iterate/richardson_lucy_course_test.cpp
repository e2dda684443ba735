// How the iterations go: acceleration, likelihood, regularisation, and how they end.
#include <algorithm>
#include <cmath>
#include <stop_token>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "tests/core/deconvolution/richardson_lucy_fixture.hpp"

namespace aprscope {
namespace {

using test::deconvolve;
using test::PointImage;

TEST(RichardsonLucy, AccelerationSavesTwoThirdsOfTheIterations) {
  const PointImage p;
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
  const PointImage p;
  RichardsonLucyOptions options;
  options.accelerate = true;
  options.iterations = 200;
  double best = -1.0;
  double last = -1.0;
  RichardsonLucyHooks hooks;
  hooks.observer = [&](const RichardsonLucyReport& r, std::span<const float>) {
    last = r.likelihood;
    best = std::max(best, last);
  };
  deconvolve(*p.model, p.image, options, nullptr, hooks);
  EXPECT_GT(last, 1.2 * best);  // both are below 0
}

TEST(RichardsonLucy, LikelihoodRisesAndTheErrorFalls) {
  const PointImage p;
  std::vector<double> likelihood;
  std::vector<double> errors;
  RichardsonLucyHooks hooks;
  hooks.observer = [&](const RichardsonLucyReport& r, std::span<const float> x) {
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
  const PointImage p;
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
      if (threads == 2) hooks.observer = [](const RichardsonLucyReport&, std::span<const float>) {};
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
  const PointImage p;
  RichardsonLucyOptions options;
  options.iterations = 50;
  std::stop_source stop;
  std::stop_source keep;
  std::vector<float> last;
  RichardsonLucyHooks hooks;
  hooks.keep = keep.get_token();
  hooks.observer = [&](const RichardsonLucyReport& r, std::span<const float> x) {
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
  hooks.observer = [&](const RichardsonLucyReport& r, std::span<const float>) {
    EXPECT_LE(r.iteration, 3);
    if (r.iteration == 3) stop.request_stop();
  };
  const auto stopped =
      richardson_lucy(*p.model, p.image, options, nullptr, {}, hooks, JobContext(stop.get_token()));
  EXPECT_TRUE(!stopped.ok() && stopped.error().cancelled());
}

TEST(RichardsonLucy, EndsWhenTheChangeIsSmallAndContinuesFromAResult) {
  const PointImage p;
  RichardsonLucyOptions options;
  options.iterations = 500;
  options.stop_change = 1e-2;
  std::vector<double> changes;
  RichardsonLucyHooks hooks;
  hooks.observer = [&](const RichardsonLucyReport& r, std::span<const float>) {
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

}  // namespace
}  // namespace aprscope
