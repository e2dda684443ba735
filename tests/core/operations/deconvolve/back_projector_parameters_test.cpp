// Wiener–Butterworth iterations as an operation: a few do what many do, alone or as a start, on
// pixels and on particles.
#include "core/operations/deconvolve/back_projector_parameters.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "core/apr/convert/conversion.hpp"
#include "core/operations/deconvolve/deconvolution_models.hpp"
#include "core/operations/deconvolve/deconvolution_operation.hpp"
#include "core/operations/engine/registry.hpp"
#include "core/pipeline/recipe.hpp"
#include "tests/core/operations/deconvolve/photon_scene.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope {
namespace {

using test::Course;
using test::deconvolution;
using test::make_scene;
using test::run;
using test::Scene;

using Values = std::map<std::string, ParameterValue>;

Operation fast(Values more = {}) {
  more.emplace("back_projector", std::string("wiener_butterworth"));
  return deconvolution(50, 0.0, std::move(more));
}

TEST(BackProjectorParameters, ThreeIterationsDoWhatManyDo) {
  const Scene scene = make_scene(300.0, 0.0);
  const Course few = run(fast(), scene);
  ASSERT_EQ(few.reports.size(), 3U);
  EXPECT_EQ(few.reports.back().of, 3);
  // Measured on larger scenes: what 9 do; see resources/docs/deconvolution.md.
  EXPECT_GT(few.psnr.back(), run(deconvolution(7, 0.0), scene).psnr.back());
  const Course sharper = run(fast({{"wb_beta", 0.1}}), scene);
  EXPECT_GT(sharper.psnr.back(), run(deconvolution(10, 0.0), scene).psnr.back());
  EXPECT_GE(*std::min_element(few.values.begin(), few.values.end()), 0.0F);
}

TEST(BackProjectorParameters, AStartSavesIterations) {
  const Scene scene = make_scene(300.0, 0.0);
  const Course started = run(
      deconvolution(10, 0.0, {{"back_projector", std::string("wiener_butterworth_start")}}), scene);
  ASSERT_EQ(started.reports.size(), 13U) << "three, and the ten that were asked for";
  EXPECT_EQ(started.reports.back().of, 13);
  const Course plain = run(deconvolution(13, 0.0), scene);
  EXPECT_GT(started.psnr.back(), plain.psnr.back());
}

TEST(BackProjectorParameters, OnParticlesThatAreAllPixelsIsWhatItIsOnPixels) {
  const Scene scene = make_scene(300.0, 0.05);
  Apr apr;
  apr.access = test::full_access(test::kSize);
  auto values = scene.image->values().pixels().values;
  // The finest level of a full APR lies in the order of pixels.
  apr.fields = {std::make_shared<const Field>(Field{"particles", values})};
  const Scene all{scene.truth, Dataset::create(std::move(apr))};
  const double light = 0.05 * 300.0 * test::kGain;
  for (const char* word : {"wiener_butterworth", "wiener_butterworth_start"}) {
    const Operation op = deconvolution(4, light, {{"back_projector", std::string(word)}});
    const auto pixels = cpu_backend()->run(op, *scene.image, {});
    const auto particles = cpu_backend()->run(op, *all.image, {});
    ASSERT_TRUE(pixels) << pixels.error().message();
    ASSERT_TRUE(particles) << particles.error().message();
    const auto of_pixels = Dataset::create(*pixels)->values().pixels().values;
    const auto of_particles = Dataset::create(*particles)->values().particles();
    // The kernel's far part is interpolated.
    EXPECT_NEAR(test::psnr(of_particles, scene.truth), test::psnr(of_pixels, scene.truth), 0.2);
    double difference = 0.0;
    double whole = 0.0;
    for (std::size_t i = 0; i < of_pixels.size(); ++i) {
      difference += std::pow(of_pixels[i] - of_particles[i], 2);
      whole += std::pow(of_pixels[i], 2);
    }
    EXPECT_LT(std::sqrt(difference / whole), 0.05);
  }
}

TEST(BackProjectorParameters, WorkOnParticlesInEachScheme) {
  const Scene scene = make_scene(300.0, 0.0);
  ConversionParameters parameters;
  parameters.rel_error = 0.2F;
  const auto apr = convert(std::get<Volume>(scene.image->data()), parameters);
  ASSERT_TRUE(apr) << apr.error().message();
  const auto particles = Dataset::create(Data(*apr));
  for (const char* scheme : {"full", "lean", "truncated"}) {
    const auto result = cpu_backend()->run(fast({{"scheme", std::string(scheme)}}), *particles, {});
    ASSERT_TRUE(result) << scheme << ": " << result.error().message();
    const auto values = Dataset::create(*result)->values().particles();
    for (const float v : values) ASSERT_TRUE(std::isfinite(v) && v >= 0.0F) << scheme;
    EXPECT_NE(std::get<Apr>(*result).history.back().find("wiener_butterworth"), std::string::npos);
    EXPECT_NE(std::get<Apr>(*result).history.back().find("; 3 iterations"), std::string::npos);
  }
}

// What is off leaves the bytes as they are, and the parameters of what is off have no say.
TEST(BackProjectorParameters, CountWhereTheyAreAskedFor) {
  const Operation matched = *complete(deconvolution(5, 0.0));
  EXPECT_TRUE(counts(matched, "iterations"));
  EXPECT_FALSE(counts(matched, "wb_iterations"));
  EXPECT_FALSE(counts(matched, "wb_alpha"));
  EXPECT_EQ(most_iterations(matched), 5);
  const Operation alone = *complete(fast({{"wb_iterations", std::int64_t{4}}}));
  EXPECT_FALSE(counts(alone, "iterations"));
  EXPECT_TRUE(counts(alone, "wb_beta"));
  EXPECT_EQ(most_iterations(alone), 4);
  const Operation start =
      *complete(fast({{"back_projector", std::string("wiener_butterworth_start")}}));
  EXPECT_TRUE(counts(start, "iterations"));
  EXPECT_EQ(most_iterations(start), 53);
}

// A run that was ended early is a recipe of its own.
TEST(BackProjectorParameters, EndAfterAnyIteration) {
  const Scene scene = make_scene(100.0, 0.0);
  for (const char* word : {"matched", "wiener_butterworth", "wiener_butterworth_start"}) {
    const Operation whole =
        *complete(deconvolution(4, 0.0, {{"back_projector", std::string(word)}}));
    std::vector<std::vector<float>> iterates;
    IterationHooks hooks;
    hooks.observer = [&](const IterationReport&, std::span<const float> iterate) {
      iterates.emplace_back(iterate.begin(), iterate.end());
    };
    ASSERT_TRUE(cpu_backend()->iterate(whole, *scene.image, hooks, {}));
    ASSERT_EQ(iterates.size(), static_cast<std::size_t>(most_iterations(whole)));
    for (std::size_t i = 0; i < iterates.size(); ++i) {
      const Operation part = with_iterations(whole, static_cast<int>(i) + 1);
      EXPECT_EQ(most_iterations(part), static_cast<int>(i) + 1);
      EXPECT_EQ(run(part, scene).values, iterates[i]) << word << " " << i;
    }
  }
}

// A few iterations do not look for their number where nobody asks; a start does.
TEST(BackProjectorParameters, EndByHeldOutPhotonsAsAStart) {
  const Scene scene = make_scene(30.0, 0.0);
  const Course alone = run(fast({{"photon_gain", test::kGain}}), scene);
  EXPECT_EQ(alone.searched(), 0);
  EXPECT_EQ(alone.reports.size(), 3U);
  const Course start = run(fast({{"photon_gain", test::kGain},
                                 {"back_projector", std::string("wiener_butterworth_start")}}),
                           scene);
  EXPECT_GT(start.searched(), 3);
  const Course plain = run(deconvolution(50, 0.0, {{"photon_gain", test::kGain}}), scene);
  EXPECT_LT(start.reports.size(), plain.reports.size());
}

// What is held for it is asked for before it is taken.
TEST(BackProjectorParameters, NeedMemory) {
  const Scene scene = make_scene(30.0, 0.0);
  const auto bytes_of = [&](const Operation& op) {
    const auto plan = plan_deconvolution(*complete(op), {}, test::kSize);
    EXPECT_TRUE(plan.ok());
    std::uint64_t held = 0;
    if (plan->back_projector) held = make_back_projector(*plan, *scene.image).value()->bytes();
    return std::pair(deconvolution_bytes(*plan, *scene.image), held);
  };
  const auto [plain, none] = bytes_of(deconvolution(5, 0.0));
  const auto [with, held] = bytes_of(fast());
  EXPECT_EQ(none, 0U);
  EXPECT_GT(held, 0U);
  EXPECT_GE(static_cast<double>(with - plain), 0.8 * static_cast<double>(held));
}

TEST(BackProjectorParameters, SayWhatIsWrongWithThePsf) {
  const Scene scene = make_scene(30.0, 0.0);
  const auto refused =
      cpu_backend()->run(fast({{"psf_size", std::array<double, 3>{3, 9, 9}}}), *scene.image, {});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message().find("half of its peak in z"), std::string::npos);
}

}  // namespace
}  // namespace aprscope
