// A deconvolution that ends by held-out photons: where it stops is where the error to the truth is
// smallest, on pixels and on particles; and what it gives is that many plain iterations.
#include "core/operations/deconvolve/held_out_search.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "core/apr/convert/conversion.hpp"
#include "core/image/scenes.hpp"
#include "core/operations/engine/registry.hpp"
#include "core/pipeline/execution.hpp"
#include "tests/core/operations/deconvolve/photon_scene.hpp"
#include "tests/core/pipeline/data_builders.hpp"

namespace aprscope {
namespace {

using test::Course;
using test::deconvolution;
using test::kGain;
using test::kOffset;
using test::kSize;
using test::make_scene;
using test::run;
using test::Scene;

TEST(HeldOutSearch, StopsNearTheLeastError) {
  for (const auto& [photons, background] : {std::pair{8.0, 0.25}, {30.0, 0.05}}) {
    SCOPED_TRACE(photons);
    const Scene scene = make_scene(photons, background);
    const double light = background * photons * kGain;
    const Course all = run(deconvolution(150, light), scene);
    const double best = *std::max_element(all.psnr.begin(), all.psnr.end());
    // There is something to lose.
    ASSERT_GT(best, all.psnr.back() + 1.0);
    for (const std::int64_t seed : {1, 2}) {
      const Course found =
          run(deconvolution(150, light, {{"photon_gain", kGain}, {"seed", seed}}), scene);
      const std::size_t done = found.reports.size() - static_cast<std::size_t>(found.searched());
      // What explains photons best is not quite what has the least error; but three quarters of
      // what too many iterations cost are saved.
      EXPECT_GT(found.psnr.back(), best - 0.25 * (best - all.psnr.back())) << done;
      EXPECT_LT(found.searched(), 150);
      // The result is so many iterations of the whole image.
      const Course plain = run(deconvolution(static_cast<std::int64_t>(done), light), scene);
      EXPECT_EQ(found.values, plain.values);
    }
  }
}

TEST(HeldOutSearch, ReportsTellBothParts) {
  const Scene scene = make_scene(30.0, 0.05);
  const Course found = run(deconvolution(200, 3.0, {{"photon_gain", kGain}}), scene);
  const int searched = found.searched();
  ASSERT_GT(searched, 10);
  const auto all = static_cast<int>(found.reports.size());
  double best = -1e9;
  int at = 0;
  for (int i = 0; i < all; ++i) {
    const IterationReport& report = found.reports[static_cast<std::size_t>(i)];
    EXPECT_EQ(report.iteration, i + 1);
    EXPECT_EQ(report.searching, i < searched);
    EXPECT_EQ(report.of, i < searched ? 200 : all);
    ASSERT_TRUE(report.figure("held_out").has_value());
    const double held = *report.figure("held_out");
    EXPECT_EQ(std::isfinite(held), i < searched);
    if (i < searched && held > best) {
      best = held;
      at = i;
    }
  }
  // The estimate that the best report is about is the one before it.
  EXPECT_EQ(all - searched, at);
}

TEST(HeldOutSearch, AKnownGainIsReasonEnoughAndChangeIsObeyed) {
  const Scene scene = make_scene(8.0, 0.25);
  EXPECT_EQ(run(deconvolution(12, 4.0), scene).searched(), 0);
  EXPECT_GT(run(deconvolution(12, 4.0, {{"photon_gain", kGain}}), scene).searched(), 0);
  EXPECT_EQ(
      run(deconvolution(12, 4.0, {{"photon_gain", kGain}, {"stop", std::string("change")}}), scene)
          .searched(),
      0);
}

TEST(HeldOutSearch, WhatRisesToTheEndGetsAllIterations) {
  const Scene scene = make_scene(3000.0, 0.0);
  const Course found = run(deconvolution(6, 0.0, {{"photon_gain", kGain}}), scene);
  EXPECT_EQ(found.searched(), 6);
  EXPECT_EQ(found.reports.size(), 12U);
}

TEST(HeldOutSearch, AGainThatIsNotKnownIsGuessedAndKeptInTheRecipe) {
  const Scene scene = make_scene(60.0, 0.3);
  const Operation asked = deconvolution(20, 36.0, {{"stop", std::string("held_out")}});
  const Operation known = settled(*complete(asked), *scene.image);
  EXPECT_NEAR(parameter<double>(known, "photon_gain") / kGain, 1.0, 0.25);
  EXPECT_EQ(run(asked, scene).values, run(known, scene).values);
}

TEST(HeldOutSearch, KeepEndsTheSearchAndGivesTheBestSoFar) {
  const Scene scene = make_scene(30.0, 0.05);
  std::stop_source keep;
  IterationHooks hooks;
  int searched = 0;
  int done = 0;
  hooks.keep = keep.get_token();
  hooks.observer = [&](const IterationReport& report, std::span<const float>) {
    (report.searching ? searched : done) += 1;
    if (searched == 9) keep.request_stop();
  };
  const Operation op = deconvolution(200, 3.0, {{"photon_gain", kGain}});
  const auto result = cpu_backend()->iterate(op, *scene.image, hooks, {});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(searched, 9);
  EXPECT_EQ(done, 8);
  EXPECT_EQ(Dataset::create(*result)->values().pixels().values,
            run(deconvolution(8, 3.0), scene).values);
}

TEST(HeldOutSearch, ParticlesAreThinnedAsTheirPixels) {
  const Scene scene = make_scene(8.0, 0.25);
  const auto apr = cpu_backend()->run(*complete({"convert", {}}), *scene.image, {});
  ASSERT_TRUE(apr.ok());
  const auto particles = Dataset::create(*apr);
  int searched = 0;
  int done = 0;
  IterationHooks hooks;
  hooks.observer = [&](const IterationReport& report, std::span<const float>) {
    (report.searching ? searched : done) += 1;
  };
  const Operation op = deconvolution(200, 4.0, {{"photon_gain", kGain}});
  const auto result = cpu_backend()->iterate(op, *particles, hooks, {});
  ASSERT_TRUE(result.ok()) << result.error().message();
  EXPECT_GT(searched, done);
  EXPECT_NE(std::get<Apr>(*result).history.back().find("held-out photons are explained best"),
            std::string::npos);
  const auto plain = cpu_backend()->run(deconvolution(done, 4.0), *particles, {});
  ASSERT_TRUE(plain.ok());
  EXPECT_EQ(Dataset::create(*plain)->values().particles(),
            Dataset::create(*result)->values().particles());
}

TEST(HeldOutSearch, WhatIsMissingIsSaid) {
  const Scene scene = make_scene(30.0, 0.05);
  const auto refusal = [](const Operation& op, const Dataset& input) {
    const auto result = cpu_backend()->run(op, input, {});
    EXPECT_FALSE(result.ok());
    return result.ok() ? "" : result.error().message();
  };
  const auto apr = cpu_backend()->run(*complete({"convert", {}}), *scene.image, {});
  const Operation guess = deconvolution(5, 3.0, {{"stop", std::string("held_out")}});
  EXPECT_NE(refusal(guess, *Dataset::create(*apr)).find("no photon gain"), std::string::npos);
  const Operation few = deconvolution(5, 3.0, {{"photon_gain", 1e6}});
  EXPECT_NE(refusal(few, *scene.image).find("too few to hold some out"), std::string::npos);
  Volume flat;
  flat.pixels = Pixels<float>(kSize, 150.0F);
  EXPECT_NE(refusal(guess, *Dataset::create(flat)).find("cannot be guessed"), std::string::npos);
}

}  // namespace
}  // namespace aprscope
