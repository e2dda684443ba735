// The camera's offset and light that is no specimen's.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "core/image/scenes.hpp"
#include "tests/core/deconvolution/richardson_lucy_fixture.hpp"

namespace aprscope {
namespace {

using test::deconvolve;
using test::flux;
using test::FormulaSample;
using test::on_particles;
using test::on_pixels;

// Smooth light with another value at each place.
std::vector<float> uneven(std::size_t count, float level) {
  std::vector<float> b(count);
  for (std::size_t i = 0; i < count; ++i) {
    b[i] = level * (1.0F + 0.5F * std::sin(0.01F * static_cast<float>(i)));
  }
  return b;
}

BackgroundLight image_of(std::vector<float> values) {
  BackgroundLight light;
  light.values = std::make_shared<const std::vector<float>>(std::move(values));
  return light;
}

// By the formula in double precision: x · Hᵀ(u ÷ (Hx + b)) ÷ Hᵀ1, then the flux that Hx explains.
std::vector<double> by_formula(const FormulaSample& s, double offset, const std::vector<double>& b,
                               std::vector<double> x, int iterations) {
  const std::size_t n = x.size();
  const std::vector<double> ones = s.back.times(std::vector<double>(n, 1.0));
  for (int k = 0; k < iterations; ++k) {
    const std::vector<double> hx = s.h.times(x);
    std::vector<double> r(n);
    double explained = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      r[i] = std::max(static_cast<double>(s.image[i]) - offset, 0.0) / (hx[i] + b[i]);
      explained += s.weights[i] * hx[i] * r[i];
    }
    const std::vector<double> c = s.back.times(r);
    double now = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      x[i] *= c[i] / ones[i];
      now += s.weights[i] * x[i] * ones[i];
    }
    if (std::abs(explained / now - 1.0) > 1e-5) {
      for (double& v : x) v *= explained / now;
    }
  }
  return x;
}

void expect_close(const std::vector<float>& got, const std::vector<double>& wanted, double part) {
  const double largest = *std::max_element(wanted.begin(), wanted.end());
  ASSERT_EQ(got.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    ASSERT_NEAR(got[i], wanted[i], part * largest) << i;
  }
}

// Both kinds of background, on pixels in both ways and on particles.
struct Way {
  FormulaSample sample;
  std::string name;
};
std::vector<Way> ways(Boundary boundary) {
  const Stencil psf = test::skewed_psf({3, 5, 5});
  std::vector<Way> all;
  all.push_back({on_pixels({6, 9, 11}, psf, boundary, PixelBlurMethod::fft), "transform"});
  all.push_back({on_pixels({6, 9, 11}, psf, boundary, PixelBlurMethod::passes), "passes"});
  all.push_back({on_particles({{10, 12, 13}, 3, 0.7, true}, psf, boundary), "particles"});
  return all;
}

TEST(RichardsonLucyBackground, AgreesWithTheFormula) {
  for (const Boundary boundary : {Boundary::reflect, Boundary::zero}) {
    for (const Way& way : ways(boundary)) {
      const FormulaSample& s = way.sample;
      for (const bool is_image : {false, true}) {
        SCOPED_TRACE(way.name + (is_image ? ", an image" : ", a constant"));
        RichardsonLucyOptions options;
        options.iterations = 15;
        options.offset = 20.0F;  // above some of the values
        const auto b =
            is_image ? uneven(s.image.size(), 12.0F) : std::vector<float>(s.image.size(), 12.0F);
        if (is_image) {
          options.background = image_of(b);
        } else {
          options.background.level = 12.0F;
        }
        options.start = DeconvolutionStart::given;
        const auto given = test::random_values(s.image.size(), 71, 1.0F, 60.0F);
        const auto out = richardson_lucy(*s.model, s.image, options, nullptr, given, {});
        ASSERT_TRUE(out.ok()) << out.error().message();
        expect_close(out->values,
                     by_formula(s, 20.0, test::to_double(b), test::to_double(given), 15), 3e-5);
        const auto below =
            std::count_if(s.image.begin(), s.image.end(), [](float v) { return v < 20.0F; });
        EXPECT_EQ(out->negatives, static_cast<std::uint64_t>(below));
      }
    }
  }
}

// What results are without them: those of the formula to the last bit, written here as it was
// before there were any. Nothing changes near the ends of the line, so that the flux needs no help.
TEST(RichardsonLucyBackground, WithoutThemNoBitChanges) {
  const Size3 size{1, 1, 200};
  const Stencil psf = gaussian_stencil({0, 0, 1}, {1, 1, 5}).normalized();
  std::vector<float> image(200, 10.0F);
  const auto values = test::random_values(100, 3, 1.0F, 100.0F);
  std::copy(values.begin(), values.end(), image.begin() + 50);
  std::vector<std::unique_ptr<BlurModel>> models;
  for (const auto method : {PixelBlurMethod::passes, PixelBlurMethod::fft}) {
    models.push_back(make_pixel_blur(size, psf, Boundary::reflect, method).value());
  }
  models.push_back(
      make_particle_blur(test::full_access(size), psf, StencilMode::restricted, Boundary::reflect)
          .value());
  for (const auto& model : models) {
    RichardsonLucyOptions options;
    options.iterations = 6;
    std::vector<float> x = image;
    std::vector<float> b(x.size());
    std::vector<float> c(x.size());
    for (int k = 0; k < options.iterations; ++k) {
      ASSERT_TRUE(model->forward(x, b, {}).ok());
      for (std::size_t i = 0; i < x.size(); ++i) b[i] = image[i] / b[i];
      ASSERT_TRUE(model->adjoint(b, c, {}).ok());
      for (std::size_t i = 0; i < x.size(); ++i) x[i] *= c[i];
    }
    EXPECT_EQ(deconvolve(*model, image, options).values, x) << model->description();
  }
}

TEST(RichardsonLucyBackground, AnImageOfTheSameEverywhereIsAConstant) {
  for (const Way& way : ways(Boundary::reflect)) {
    const FormulaSample& s = way.sample;
    for (const bool accelerate : {false, true}) {
      RichardsonLucyOptions options;
      options.iterations = 8;
      options.offset = 3.0F;
      options.accelerate = accelerate;
      options.background.level = 7.0F;
      const auto wanted = deconvolve(*s.model, s.image, options);
      options.background = image_of(std::vector<float>(s.image.size(), 7.0F));
      EXPECT_EQ(deconvolve(*s.model, s.image, options).values, wanted.values) << way.name;
    }
  }
}

// Offset + Hx + b is what x looks like: nothing is left to change.
TEST(RichardsonLucyBackground, WhatExplainsTheImageStays) {
  for (const Way& way : ways(Boundary::zero)) {
    const FormulaSample& s = way.sample;
    const auto truth = test::random_values(s.image.size(), 91, 5.0F, 80.0F);
    const auto b = uneven(truth.size(), 30.0F);
    std::vector<float> image(truth.size());
    ASSERT_TRUE(s.model->forward(truth, image, {}).ok());
    for (std::size_t i = 0; i < image.size(); ++i) image[i] += 100.0F + b[i];
    for (const bool accelerate : {false, true}) {
      RichardsonLucyOptions options;
      options.iterations = 10;
      options.offset = 100.0F;
      options.background = image_of(b);
      options.accelerate = accelerate;
      options.start = DeconvolutionStart::given;
      const auto out = richardson_lucy(*s.model, image, options, nullptr, truth, {});
      ASSERT_TRUE(out.ok()) << out.error().message();
      // Where levels meet the adjoint is not quite the transpose, and the flux not quite kept.
      const float part = way.name == "particles" ? 2e-2F : 1e-4F;
      for (std::size_t i = 0; i < truth.size(); ++i) {
        ASSERT_NEAR(out->values[i], truth[i], part * truth[i]) << way.name << " " << i;
      }
    }
  }
}

TEST(RichardsonLucyBackground, AConstantImageGivesAConstant) {
  for (const Way& way : ways(Boundary::reflect)) {
    const FormulaSample& s = way.sample;
    const std::vector<float> image(s.image.size(), 137.0F);
    for (const auto start : {DeconvolutionStart::image, DeconvolutionStart::constant}) {
      RichardsonLucyOptions options;
      options.iterations = 12;
      options.offset = 100.0F;
      options.background.level = 12.0F;
      options.start = start;
      for (const float v : deconvolve(*s.model, image, options).values) {
        ASSERT_NEAR(v, 25.0F, 1e-3F) << way.name;
      }
    }
  }
}

// The flux of each iterate is what the one before it explained of the light; where the model fits,
// that becomes the light above the background.
TEST(RichardsonLucyBackground, TheFluxIsTheLightThatTheBackgroundLeaves) {
  for (const Way& way : ways(Boundary::reflect)) {
    const FormulaSample& s = way.sample;
    SCOPED_TRACE(way.name);
    for (const bool regularised : {false, true}) {
      const auto regulariser =
          way.name == "particles"
              ? make_particle_regulariser(Regularisation::total_variation, s.access).value()
              : make_pixel_regulariser(Regularisation::total_variation, {6, 9, 11}).value();
      RichardsonLucyOptions options;
      options.iterations = 12;
      options.offset = 10.0F;
      options.background.level = 15.0F;
      options.start = DeconvolutionStart::given;
      if (regularised) options.regularisation = Regularisation::total_variation;
      options.strength = 0.01;
      std::vector<double> before(s.image.size(), 40.0);
      const std::vector<double> ones = s.back.times(std::vector<double>(before.size(), 1.0));
      RichardsonLucyHooks hooks;
      hooks.observer = [&](const RichardsonLucyReport& report, std::span<const float> x) {
        const std::vector<double> hx = s.h.times(before);
        double explained = 0.0;
        double own = 0.0;
        for (std::size_t i = 0; i < hx.size(); ++i) {
          const double u = std::max(static_cast<double>(s.image[i]) - 10.0, 0.0);
          explained += s.weights[i] * u * hx[i] / (hx[i] + 15.0);
          own += s.weights[i] * ones[i] * static_cast<double>(x[i]);
          EXPECT_GE(x[i], 0.0F);
        }
        EXPECT_NEAR(own, explained, 2e-5 * explained) << report.iteration;
        before.assign(x.begin(), x.end());
      };
      const std::vector<float> given(s.image.size(), 40.0F);
      const auto out = richardson_lucy(*s.model, s.image, options, regulariser.get(), given, hooks);
      ASSERT_TRUE(out.ok()) << out.error().message();
    }
    const auto truth = test::random_values(s.image.size(), 91, 5.0F, 80.0F);
    std::vector<float> image(truth.size());
    ASSERT_TRUE(s.model->forward(truth, image, {}).ok());
    double light = 0.0;
    for (std::size_t i = 0; i < image.size(); ++i) {
      light += s.weights[i] * static_cast<double>(image[i]);
      image[i] += 100.0F + 20.0F;
    }
    RichardsonLucyOptions options;
    options.iterations = 60;
    options.offset = 100.0F;
    options.background.level = 20.0F;
    EXPECT_NEAR(flux(s, deconvolve(*s.model, image, options).values), light, 5e-3 * light);
  }
}

// A specimen on a camera: points in the dark over an offset and some light, with shot noise.
struct CameraImage {
  Size3 size{1, 64, 64};
  Stencil psf = gaussian_stencil({0, 1.5, 1.5}, {1, 13, 13}).normalized();
  std::shared_ptr<const AprAccess> access = test::full_access(size);
  std::unique_ptr<BlurModel> pixels =
      make_pixel_blur(size, psf, Boundary::reflect, PixelBlurMethod::fft).value();
  std::unique_ptr<BlurModel> particles =
      make_particle_blur(access, psf, StencilMode::restricted, Boundary::reflect).value();
  std::vector<float> truth = std::vector<float>(4096, 2.0F);
  std::vector<float> image = std::vector<float>(4096);

  CameraImage() {
    for (std::size_t i = 130; i < truth.size(); i += 211) truth[i] += 900.0F;
    EXPECT_TRUE(pixels->forward(truth, image, {}).ok());
    for (float& v : image) v += 8.0F;
    Pixels<float> counts;
    counts.size = size;
    counts.values = image;
    add_poisson_noise(counts, 1.0, 4);
    for (std::size_t i = 0; i < image.size(); ++i) image[i] = counts.values[i] + 100.0F;
  }
  // Peak signal to noise against the truth after the factor and offset that fit best, so that
  // nothing but structure counts.
  [[nodiscard]] double fitted_psnr(const std::vector<float>& x) const {
    double sx = 0, st = 0, sxx = 0, sxt = 0;
    const auto n = static_cast<double>(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      sx += x[i];
      st += truth[i];
      sxx += static_cast<double>(x[i]) * x[i];
      sxt += static_cast<double>(x[i]) * truth[i];
    }
    const double factor = (n * sxt - sx * st) / (n * sxx - sx * sx);
    const double shift = (st - factor * sx) / n;
    return psnr([&](std::size_t i) { return factor * static_cast<double>(x[i]) + shift; });
  }
  template <class Value>
  [[nodiscard]] double psnr(const Value& value) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
      const double d = value(i) - static_cast<double>(truth[i]);
      sum += d * d;
    }
    return 10.0 * std::log10(900.0 * 900.0 / (sum / static_cast<double>(truth.size())));
  }
};

TEST(RichardsonLucyBackground, ACamerasImageIsRecoveredBetterThanWithoutThem) {
  const CameraImage camera;
  for (BlurModel* model : {camera.pixels.get(), camera.particles.get()}) {
    RichardsonLucyOptions options;
    options.iterations = 50;
    const auto psnr = [&] {
      const auto x = deconvolve(*model, camera.image, options).values;
      return std::pair(camera.psnr([&](std::size_t i) { return static_cast<double>(x[i]); }),
                       camera.fitted_psnr(x));
    };
    const auto [plain, plain_structure] = psnr();
    options.offset = 100.0F;
    const auto [above, above_structure] = psnr();
    options.background.level = 8.0F;
    const auto [best, best_structure] = psnr();
    RecordProperty("plain", std::to_string(plain) + " / " + std::to_string(plain_structure));
    RecordProperty("offset", std::to_string(above) + " / " + std::to_string(above_structure));
    RecordProperty("both", std::to_string(best) + " / " + std::to_string(best_structure));
    // As it is, and in structure alone: light that is not there blunts what is.
    EXPECT_GT(above, plain + 5.0);
    EXPECT_GT(above_structure, plain_structure + 1.0);
    EXPECT_GT(best, above + 0.1);
    EXPECT_GT(best_structure, above_structure);
  }
}

// The brightest are not what pays for a background that is too high: were the flux made that above
// the background, they would have 0.6 of their light. A point loses what the excess has under it,
// 4 × 28 pixels of 900 at the most.
TEST(RichardsonLucyBackground, ABackgroundThatIsTooHighDimsNoPoint) {
  const CameraImage camera;
  const auto light_of_points = [&](float level) {
    RichardsonLucyOptions options;
    options.iterations = 50;
    options.offset = 100.0F;
    options.background.level = level;
    const auto x = deconvolve(*camera.pixels, camera.image, options).values;
    double sum = 0.0;
    for (std::size_t i = 130; i < x.size(); i += 211) {
      for (const std::ptrdiff_t at : {-65, -64, -63, -1, 0, 1, 63, 64, 65}) {
        const auto k = static_cast<std::ptrdiff_t>(i) + at;
        if (k >= 0 && k < 4096) sum += static_cast<double>(x[static_cast<std::size_t>(k)]);
      }
    }
    return sum;
  };
  const double right = light_of_points(8.0F);
  EXPECT_GT(light_of_points(12.0F), 0.875 * right);
}

TEST(RichardsonLucyBackground, TheLikelihoodCountsTheBackground) {
  const CameraImage camera;
  RichardsonLucyOptions options;
  options.iterations = 20;
  options.offset = 100.0F;
  options.background.level = 8.0F;
  options.start = DeconvolutionStart::constant;
  std::vector<double> likelihood;
  RichardsonLucyHooks hooks;
  std::vector<float> first;
  hooks.observer = [&](const RichardsonLucyReport& r, std::span<const float> x) {
    if (r.iteration == 1) first.assign(x.begin(), x.end());
    likelihood.push_back(r.likelihood);
  };
  deconvolve(*camera.pixels, camera.image, options, nullptr, hooks);
  for (std::size_t i = 1; i < likelihood.size(); ++i) EXPECT_GT(likelihood[i], likelihood[i - 1]);
  std::vector<float> blurred(first.size());
  ASSERT_TRUE(camera.pixels->forward(first, blurred, {}).ok());
  double sum = 0.0;
  double total = 0.0;
  for (std::size_t i = 0; i < blurred.size(); ++i) {
    const double u = std::max(static_cast<double>(camera.image[i]) - 100.0, 0.0);
    const double v = static_cast<double>(blurred[i]) + 8.0;
    sum += (u > 0.0 ? u * std::log(u / v) : 0.0) - u + v;
    total += u;
  }
  EXPECT_NEAR(likelihood[1], -sum / total, 1e-4 * sum / total);
}

TEST(RichardsonLucyBackground, SameBytesForAnyNumberOfThreadsAndAnyUnit) {
  const auto access = test::random_access({{40, 40, 50}, 6, 0.8, true});
  const auto image = test::random_values(access->count(), 4, 50.0F, 200.0F);
  const Stencil psf = test::skewed_psf({5, 5, 5});
  const auto model =
      make_particle_blur(access, psf, StencilMode::restricted, Boundary::reflect).value();
  RichardsonLucyOptions options;
  options.iterations = 4;
  options.offset = 60.0F;
  options.accelerate = true;
  const auto light = uneven(image.size(), 20.0F);
  options.background = image_of(light);
  std::vector<std::vector<float>> results;
  for (const int threads : {1, 2, 5}) {
    set_thread_count(threads);
    results.push_back(deconvolve(*model, image, options).values);
  }
  set_thread_count(0);
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);

  const float power = std::ldexp(1.0F, 60);
  const auto scaled = [&](std::vector<float> values) {
    for (float& v : values) v *= power;
    return values;
  };
  options.offset *= power;
  options.background = image_of(scaled(light));
  const auto out = deconvolve(*model, scaled(image), options).values;
  for (std::size_t i = 0; i < out.size(); ++i) {
    ASSERT_NEAR(out[i] / power, results[0][i], 1e-3F);
  }
}

TEST(RichardsonLucyBackground, WhatIsFiniteStaysFinite) {
  const Size3 size{4, 6, 12};
  const auto model =
      make_pixel_blur(size, test::skewed_psf({3, 3, 5}), Boundary::zero, PixelBlurMethod::fft)
          .value();
  const auto base = test::random_values(static_cast<std::uint64_t>(size.count()), 5, 0.0F, 1.0F);
  for (const float magnitude : {3.4e38F, 1e30F, 1.0F, 1e-30F, 1e-38F}) {
    for (const float light : {0.0F, 1e-44F, 1e-3F, 1.0F, 3e38F}) {
      std::vector<float> image = base;
      for (float& v : image) v *= magnitude;
      std::vector<float> b(image.size(), light);
      b[3] = 0.0F;  // some light is above it
      RichardsonLucyOptions options;
      options.iterations = 8;
      options.accelerate = true;
      options.background = image_of(b);
      options.offset = 0.1F * magnitude;
      image[3] = 0.9F * magnitude;
      RichardsonLucyHooks hooks;
      hooks.observer = [](const RichardsonLucyReport& r, std::span<const float>) {
        EXPECT_TRUE(std::isfinite(r.likelihood) && std::isfinite(r.change));
      };
      const auto out = deconvolve(*model, image, options, nullptr, hooks);
      for (const float v : out.values) ASSERT_TRUE(std::isfinite(v) && v >= 0.0F);
    }
  }
}

TEST(RichardsonLucyBackground, RefusesWhatItCannotUse) {
  const FormulaSample s =
      on_pixels({4, 4, 4}, test::skewed_psf({3, 3, 3}), Boundary::reflect, PixelBlurMethod::passes);
  const auto message = [&](const RichardsonLucyOptions& options) {
    const auto out = richardson_lucy(*s.model, s.image, options, nullptr, {}, {});
    return out.ok() ? std::string("done") : out.error().message();
  };
  const auto has = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  for (const float wrong :
       {-1.0F, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    RichardsonLucyOptions options;
    options.offset = wrong;
    has(message(options), "offset");
    options = {};
    options.background.level = wrong;
    has(message(options), "background");
    options = {};
    std::vector<float> b(64, 1.0F);
    b[5] = b[7] = wrong;
    options.background = image_of(b);
    has(message(options), "2 values that are negative or not finite");
  }
  RichardsonLucyOptions options;
  options.background = image_of(std::vector<float>(63, 1.0F));
  has(message(options), "63 values instead of 64");
  options = {};
  options.offset = 101.0F;
  has(message(options), "nothing of the image is above its offset and background");
  options.offset = 0.0F;
  options.background.level = 101.0F;
  has(message(options), "nothing of the image is above its offset and background");
}

}  // namespace
}  // namespace aprscope
