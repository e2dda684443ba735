#include "core/operations/deconvolve/deconvolution_operation.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "core/io/write.hpp"
#include "core/operations/deconvolve/psf_parameters.hpp"
#include "core/pipeline/execution.hpp"
#include "core/pipeline/recipe.hpp"
#include "tests/core/pipeline/data_builders.hpp"
#include "tests/support/paths.hpp"

namespace aprscope {
namespace {

const Size3 kSize{16, 16, 16};

double points(std::int64_t z, std::int64_t x, std::int64_t y) {
  return z % 7 == 3 && x % 6 == 2 && y % 5 == 2 ? 1000.0 : 10.0;
}

std::shared_ptr<const Dataset> pixels(const test::PixelFunction& f = points) {
  return Dataset::create(test::image_of(kSize, f));
}
std::shared_ptr<const Dataset> particles(const test::PixelFunction& f = points) {
  return Dataset::create(test::two_level_apr(16, f));
}

Operation deconvolution(std::int64_t iterations) {
  return {"deconvolve",
          {{"iterations", iterations},
           {"psf_sigma", std::array<double, 3>{1, 1, 1}},
           {"psf_size", std::array<double, 3>{5, 5, 5}}}};
}

std::vector<float> values_of(const Data& data) {
  const auto set = Dataset::create(data);
  return set->is_apr() ? set->values().particles() : set->values().pixels().values;
}

Data done(const Result<Data>& result) {
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message());
  return *result;
}

TEST(Deconvolve, IsRichardsonLucyWithTheOperationsPsf) {
  const Stencil psf = gaussian_stencil({1, 1, 1}, {5, 5, 5}).normalized();
  RichardsonLucyOptions options;
  options.iterations = 5;
  for (const auto& input : {pixels(), particles()}) {
    const Data out = done(cpu_backend()->run(deconvolution(5), *input, {}));
    const auto model = input->is_apr()
                           ? make_particle_blur(input->apr().access, psf, StencilMode::restricted,
                                                Boundary::reflect)
                           : make_pixel_blur(kSize, psf, Boundary::reflect);
    const auto& image =
        input->is_apr() ? input->values().particles() : input->values().pixels().values;
    const auto wanted = richardson_lucy(**model, image, options, nullptr, {}, {});
    ASSERT_TRUE(wanted.ok());
    EXPECT_EQ(values_of(out), wanted->values);
  }
}

TEST(Deconvolve, HistorySaysWhatWasDoneAndNothingThatChanges) {
  const auto input = particles();
  const auto history = [&](const Data& data) { return std::get<Apr>(data).history.back(); };
  const std::string line = history(done(cpu_backend()->run(deconvolution(4), *input, {})));
  for (const char* part : {"deconvolve", "4 iterations", "5³", "[cpu]"}) {
    EXPECT_NE(line.find(part), std::string::npos) << line;
  }
  EXPECT_EQ(line.find("partial"), std::string::npos);
  EXPECT_EQ(history(done(cpu_backend()->run(deconvolution(4), *input, {}))), line);

  std::stop_source keep;
  IterationHooks hooks;
  hooks.keep = keep.get_token();
  hooks.observer = [&](const IterationReport& r, std::span<const float>) {
    if (r.iteration == 2) keep.request_stop();
  };
  const std::string kept =
      history(done(cpu_backend()->iterate(deconvolution(9), *input, hooks, {})));
  EXPECT_NE(kept.find("2 of 9 iterations, partial"), std::string::npos) << kept;
}

TEST(Deconvolve, JudgesEachIterateAgainstTheTruth) {
  const auto truth = pixels();
  auto blurred = cpu_backend()->run(
      {"gaussian",
       {{"sigma", std::array<double, 3>{1, 1, 1}}, {"size", std::array<double, 3>{5, 5, 5}}}},
      *truth, {});
  const auto input = Dataset::create(done(blurred));
  std::vector<IterationReport> reports;
  IterationHooks hooks;
  hooks.truth = truth;
  hooks.observer = [&](const IterationReport& r, std::span<const float> iterate) {
    EXPECT_EQ(iterate.size(), 4096U);
    reports.push_back(r);
  };
  done(cpu_backend()->iterate(deconvolution(8), *input, hooks, {}));
  ASSERT_EQ(reports.size(), 8U);
  for (std::size_t i = 0; i < reports.size(); ++i) {
    ASSERT_TRUE(reports[i].figure("psnr") && reports[i].figure("ssim"));
    EXPECT_EQ(reports[i].iteration, static_cast<int>(i) + 1);
    EXPECT_EQ(reports[i].of, 8);
    EXPECT_GE(reports[i].seconds, 0.0);
    EXPECT_GT(reports[i].figure("change").value(), 0.0);
    if (i > 0) {
      EXPECT_GT(*reports[i].figure("psnr"), *reports[i - 1].figure("psnr"));
      EXPECT_GT(reports[i].figure("likelihood"), reports[i - 1].figure("likelihood"));
    }
  }
  hooks.truth = Dataset::create(test::image_of({8, 8, 8}, points));
  const auto wrong = cpu_backend()->iterate(deconvolution(8), *input, hooks, {});
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.error().message().find("size"), std::string::npos);
}

TEST(Deconvolve, ContinuesFromAnEarlierResult) {
  for (const auto& input : {pixels(), particles()}) {
    const Data whole = done(cpu_backend()->run(deconvolution(6), *input, {}));
    IterationHooks hooks;
    hooks.start = Dataset::create(done(cpu_backend()->run(deconvolution(4), *input, {})));
    const Data second = done(cpu_backend()->iterate(deconvolution(2), *input, hooks, {}));
    EXPECT_EQ(values_of(second), values_of(whole));
  }
  IterationHooks hooks;
  hooks.start = particles();
  EXPECT_FALSE(cpu_backend()->iterate(deconvolution(2), *pixels(), hooks, {}).ok());
  hooks.start = Dataset::create(test::uniform_apr(kSize, 3, points));
  const auto other = cpu_backend()->iterate(deconvolution(2), *particles(), hooks, {});
  ASSERT_FALSE(other.ok());
  EXPECT_NE(other.error().message().find("structure"), std::string::npos);
}

Operation going_on(std::int64_t iterations) {
  Operation step = deconvolution(iterations);
  step.parameters["start"] = std::string("previous");
  return step;
}

TEST(Deconvolve, StepsGoOnFromTheDeconvolutionBeforeThem) {
  for (const auto& input : {pixels(), particles()}) {
    const Data whole = done(cpu_backend()->run(deconvolution(7), *input, {}));
    Recipe recipe;
    recipe.steps = {*complete(deconvolution(4)), *complete(going_on(2)), *complete(going_on(1))};
    const auto read = recipe_from_json(to_json(recipe));
    ASSERT_TRUE(read.ok()) << read.error().message();
    const auto all = execute(read->steps, input, *cpu_backend());
    ASSERT_TRUE(all.ok()) << all.error().message();
    EXPECT_EQ(values_of(all->data->data()), values_of(whole));
    EXPECT_EQ(all->deconvolved_from, input);
    if (input->is_apr()) {
      const auto& history = all->data->apr().history;
      ASSERT_EQ(history.size(), input->apr().history.size() + 3);
      EXPECT_NE(history.back().find("start previous"), std::string::npos) << history.back();
    }

    // Or later, from a result and what it was deconvolved from.
    const auto first = execute({deconvolution(4)}, input, *cpu_backend());
    ASSERT_TRUE(first.ok());
    const auto rest =
        execute({going_on(3)}, first->data, *cpu_backend(), {}, first->deconvolved_from);
    ASSERT_TRUE(rest.ok()) << rest.error().message();
    EXPECT_EQ(values_of(rest->data->data()), values_of(whole));
  }
}

TEST(Deconvolve, SaysWhereThereIsNothingToGoOnFrom) {
  for (const std::vector<Operation>& steps :
       {std::vector<Operation>{{"box", {}}, going_on(2)},
        std::vector<Operation>{deconvolution(2), {"box", {}}, going_on(2)}}) {
    const auto result = execute(steps, pixels(), *cpu_backend());
    ASSERT_FALSE(result.ok());
    const std::string text = result.error().message();
    EXPECT_NE(text.find("step " + std::to_string(steps.size())), std::string::npos) << text;
    EXPECT_NE(text.find("goes on from"), std::string::npos) << text;
  }
}

TEST(Deconvolve, StartsFromAnEarlierResultInAFile) {
  const test::TemporaryFolder folder;
  for (const auto& input : {pixels(), particles()}) {
    const Data whole = done(cpu_backend()->run(deconvolution(6), *input, {}));
    const Data first = done(cpu_backend()->run(deconvolution(4), *input, {}));
    const auto path = folder / (input->is_apr() ? "first.apr" : "first.tif");
    const Status written = input->is_apr() ? write_apr(std::get<Apr>(first), path, {}, {})
                                           : write_tiff(std::get<Volume>(first), path, {});
    ASSERT_TRUE(written.ok()) << written.error().message();
    Operation step = deconvolution(2);
    step.parameters["start"] = std::string("file");
    step.parameters["start_file"] = path.string();
    EXPECT_EQ(values_of(done(cpu_backend()->run(step, *input, {}))), values_of(whole));

    std::filesystem::remove(path);
    const auto gone = cpu_backend()->run(step, *input, {});
    ASSERT_FALSE(gone.ok());
    EXPECT_NE(gone.error().message().find(path.string()), std::string::npos);
    step.parameters["start_file"] = std::string();
    EXPECT_FALSE(cpu_backend()->run(step, *input, {}).ok());
  }
}

TEST(Deconvolve, DoesNotMakeAPsfThatIsKnown) {
  // One that no file could give: the operation names none.
  Operation step = deconvolution(3);
  step.parameters["psf"] = std::string("file");
  const auto input = pixels();
  EXPECT_FALSE(cpu_backend()->run(step, *input, {}).ok());
  IterationHooks hooks;
  hooks.psf = std::make_shared<const Stencil>(
      *psf_of(*complete(deconvolution(3)), input->voxel(), input->size()));
  EXPECT_EQ(values_of(done(cpu_backend()->iterate(step, *input, hooks, {}))),
            values_of(done(cpu_backend()->run(deconvolution(3), *input, {}))));
}

TEST(Deconvolve, RefusesValuesThatAreNotFinite) {
  const auto bad = [](std::int64_t z, std::int64_t x, std::int64_t y) {
    return z == 3 && x == 4 && y == 5 ? std::numeric_limits<double>::quiet_NaN() : 1.0;
  };
  for (const auto& input : {pixels(bad), particles(bad)}) {
    const auto result = cpu_backend()->run(deconvolution(2), *input, {});
    ASSERT_FALSE(result.ok());
    EXPECT_NE(result.error().message().find("not finite"), std::string::npos);
  }
}

TEST(Deconvolve, RecipesReplayToTheSame) {
  Operation step = deconvolution(3);
  step.parameters["accelerate"] = true;
  step.parameters["regularisation"] = std::string("total_variation");
  Recipe recipe;
  recipe.steps = {*complete(step)};
  const auto read = recipe_from_json(to_json(recipe));
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(*read, recipe);
  for (const auto& input : {pixels(), particles()}) {
    const Data once = done(cpu_backend()->run(step, *input, {}));
    const auto again = execute(read->steps, input, *cpu_backend());
    ASSERT_TRUE(again.ok()) << again.error().message();
    EXPECT_EQ(values_of(once), values_of(again->data->data()));
  }
}

// Every scheme is offered; the PSF's size decides whether it has a far part.
TEST(Deconvolve, SchemesOnParticlesAgreeWherePsfsAreSmall) {
  const auto input = particles();
  std::vector<std::vector<float>> results;
  for (const char* scheme : {"full", "lean", "truncated"}) {
    Operation step = deconvolution(3);
    step.parameters["scheme"] = std::string(scheme);
    results.push_back(values_of(done(cpu_backend()->run(step, *input, {}))));
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(Deconvolve, CancelDiscards) {
  std::stop_source stop;
  IterationHooks hooks;
  hooks.observer = [&](const IterationReport& r, std::span<const float>) {
    if (r.iteration == 2) stop.request_stop();
  };
  const auto result =
      cpu_backend()->iterate(deconvolution(100), *pixels(), hooks, JobContext(stop.get_token()));
  EXPECT_TRUE(!result.ok() && result.error().cancelled());
}

TEST(Deconvolve, IsNoFilterOfAPart) {
  std::vector<float> out;
  EXPECT_FALSE(
      cpu_backend()->run_region(deconvolution(1), *pixels(), {{0, 0, 0}, {1, 1, 1}}, out, {}).ok());
  EXPECT_GT(cpu_backend()->estimate_bytes(deconvolution(1), *pixels()), 4096U * 4);
}

}  // namespace
}  // namespace aprscope
