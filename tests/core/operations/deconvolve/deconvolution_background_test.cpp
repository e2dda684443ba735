// Offset and background of "deconvolve", from the recipe to the values.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "core/deconvolution/iterate/camera_offset.hpp"
#include "core/io/write.hpp"
#include "core/operations/deconvolve/background_parameters.hpp"
#include "core/operations/deconvolve/deconvolution_operation.hpp"
#include "core/pipeline/execution.hpp"
#include "core/pipeline/recipe.hpp"
#include "tests/core/pipeline/data_builders.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope {
namespace {

const Size3 kSize{16, 16, 16};

double camera(std::int64_t z, std::int64_t x, std::int64_t y) {
  return 100.0 + (z % 7 == 3 && x % 6 == 2 && y % 5 == 2 ? 1000.0 : 10.0) +
         static_cast<double>((z + 2 * x + 3 * y) % 5);
}
double light(std::int64_t z, std::int64_t x, std::int64_t y) {
  return 4.0 + 0.25 * static_cast<double>(z) + 0.125 * static_cast<double>((x + y) % 8);
}

std::shared_ptr<const Dataset> pixels() { return Dataset::create(test::image_of(kSize, camera)); }
std::shared_ptr<const Dataset> particles() {
  return Dataset::create(test::two_level_apr(16, camera));
}

Operation deconvolution(std::int64_t iterations, std::map<std::string, ParameterValue> more = {}) {
  Operation op{"deconvolve",
               {{"iterations", iterations},
                {"psf_sigma", std::array<double, 3>{1, 1, 1}},
                {"psf_size", std::array<double, 3>{5, 5, 5}}}};
  for (auto& [id, value] : more) op.parameters[id] = value;
  return op;
}

std::vector<float> values_of(const Data& data) {
  const auto set = Dataset::create(data);
  return set->is_apr() ? set->values().particles() : set->values().pixels().values;
}

Data done(const Result<Data>& result) {
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message());
  return *result;
}

std::string refusal(const Operation& op, const Dataset& input, const IterationHooks& hooks = {}) {
  const auto result = cpu_backend()->iterate(op, input, hooks, {});
  EXPECT_FALSE(result.ok());
  return result.ok() ? "" : result.error().message();
}

// What the engine makes of the same numbers.
std::vector<float> by_engine(const Dataset& input, int iterations, float offset,
                             const BackgroundLight& background) {
  const Stencil psf = gaussian_stencil({1, 1, 1}, {5, 5, 5}).normalized();
  RichardsonLucyOptions options;
  options.iterations = iterations;
  options.offset = offset;
  options.background = background;
  const auto model = input.is_apr() ? make_particle_blur(input.apr().access, psf,
                                                         StencilMode::restricted, Boundary::reflect)
                                    : make_pixel_blur(kSize, psf, Boundary::reflect);
  const auto& image = input.is_apr() ? input.values().particles() : input.values().pixels().values;
  const auto out = richardson_lucy(**model, image, options, nullptr, {}, {});
  EXPECT_TRUE(out.ok());
  return out->values;
}

TEST(DeconvolutionBackground, NumbersReachTheIterations) {
  for (const auto& input : {pixels(), particles()}) {
    BackgroundLight background;
    background.level = 6.0F;
    const Data out = done(
        cpu_backend()->run(deconvolution(5, {{"offset", 100.0}, {"background", 6.0}}), *input, {}));
    EXPECT_EQ(values_of(out), by_engine(*input, 5, 100.0F, background));
    EXPECT_NE(values_of(out), by_engine(*input, 5, 0.0F, {}));
    if (!input->is_apr()) continue;
    const std::string line = std::get<Apr>(out).history.back();
    EXPECT_NE(line.find("offset=100"), std::string::npos) << line;
    EXPECT_NE(line.find("background=6"), std::string::npos) << line;
  }
}

// A recipe of a program that knew neither.
TEST(DeconvolutionBackground, OldRecipesReadAndGiveAsBefore) {
  const std::string old =
      R"({"aprscope": 1, "input": "a.tif", "channel": 0, "time": 0, "steps": [{"operation":
      "deconvolve", "parameters": {"accelerate": false, "boundary": "reflect", "iterations": 3,
      "psf": "gaussian", "psf_sigma": [1, 1, 1], "psf_size": [5, 5, 5], "regularisation": "none",
      "scheme": "full", "start": "image", "start_file": "", "stop_change": 0}}]})";
  const auto recipe = recipe_from_json(old);
  ASSERT_TRUE(recipe.ok()) << recipe.error().message();
  const auto whole = complete(recipe->steps.front());
  ASSERT_TRUE(whole.ok());
  EXPECT_EQ(parameter<double>(*whole, "offset"), 0.0);
  EXPECT_FALSE(parameter<bool>(*whole, "offset_auto"));
  EXPECT_EQ(parameter<double>(*whole, "background"), 0.0);
  EXPECT_EQ(parameter<std::string>(*whole, "background_file"), "");
  const auto input = particles();
  const auto run = execute(recipe->steps, input, *cpu_backend());
  ASSERT_TRUE(run.ok());
  EXPECT_EQ(run->data->values().particles(), by_engine(*input, 3, 0.0F, {}));
  // The line of history has the words that it had.
  EXPECT_EQ(run->data->apr().history.back(),
            "deconvolve iterations=3 psf_sigma=1,1,1 px psf_size=5,5,5 px, gaussian; 3 iterations "
            "(5³, separable, on particles) [cpu]");
}

TEST(DeconvolutionBackground, AGuessedOffsetIsWrittenDownAsANumber) {
  for (const auto& input : {pixels(), particles()}) {
    const double guess = guess_offset(*input);
    EXPECT_EQ(guess, 110.0);
    const Data guessed =
        done(cpu_backend()->run(deconvolution(3, {{"offset_auto", true}}), *input, {}));
    const Data given = done(cpu_backend()->run(deconvolution(3, {{"offset", guess}}), *input, {}));
    EXPECT_EQ(values_of(guessed), values_of(given));
    if (input->is_apr()) {
      EXPECT_EQ(std::get<Apr>(guessed).history, std::get<Apr>(given).history);
      EXPECT_NE(std::get<Apr>(guessed).history.back().find("offset=110"), std::string::npos);
    }
    const auto number = with_guesses(*complete(deconvolution(3, {{"offset_auto", true}})), *input);
    EXPECT_EQ(number, *complete(deconvolution(3, {{"offset", guess}})));
    Recipe recipe;
    recipe.steps = {*complete(deconvolution(3, {{"offset_auto", true}}))};
    const auto read = recipe_from_json(to_json(recipe));
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(*read, recipe);
    const auto again = execute(read->steps, input, *cpu_backend());
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(values_of(again->data->data()), values_of(given));
    // Whoever keeps the steps keeps the number.
    ASSERT_EQ(again->steps.size(), 1U);
    EXPECT_EQ(parameter<double>(again->steps[0], "offset"), guess);
    EXPECT_FALSE(parameter<bool>(again->steps[0], "offset_auto"));
  }
}

TEST(DeconvolutionBackground, IntegerImagesAreGuessedByTheirValues) {
  Pixels<std::uint16_t> counts(kSize, 500);
  for (std::size_t i = 0; i < 40; ++i) counts.values[i * 101] = static_cast<std::uint16_t>(90 + i);
  Volume volume;
  volume.pixels = counts;
  // 0.5 % of 4096 pixels are 21.
  EXPECT_EQ(guess_offset(*Dataset::create(Data{volume})), 110.0);
}

TEST(DeconvolutionBackground, AnImageIsSampledOntoWhatItIsUnder) {
  const test::TemporaryFolder folder;
  Volume image = test::image_of(kSize, light);
  image.voxel = {1.0, 1.0, 1.0, "µm"};
  const std::string tif = (folder / "light.tif").string();
  ASSERT_TRUE(write_tiff(image, tif, {}).ok());
  // Another structure than that of the input.
  Apr other = test::uniform_apr(kSize, 4, light);
  const std::string apr = (folder / "light.apr").string();
  ASSERT_TRUE(write_apr(other, apr, {}, {}).ok());
  for (const auto& input : {pixels(), particles()}) {
    std::vector<float> wanted = std::get<Pixels<float>>(image.pixels).values;
    if (input->is_apr()) {
      const auto map = test::particle_map(*input->apr().access);
      std::vector<double> sum(input->apr().access->count());
      std::vector<double> n(sum.size());
      for (std::size_t i = 0; i < map.index.values.size(); ++i) {
        sum[map.index.values[i]] += static_cast<double>(wanted[i]);
        n[map.index.values[i]] += 1.0;
      }
      wanted.resize(sum.size());
      for (std::size_t i = 0; i < sum.size(); ++i) {
        wanted[i] = static_cast<float>(sum[i] / n[i]);
      }
    }
    BackgroundLight background;
    background.values = std::make_shared<const std::vector<float>>(wanted);
    const auto engine = by_engine(*input, 4, 100.0F, background);
    for (const std::string& file : {tif, apr}) {
      // A constant beside it does not count, and is not claimed to.
      const Data out = done(cpu_backend()->run(
          deconvolution(4, {{"offset", 100.0}, {"background", 50.0}, {"background_file", file}}),
          *input, {}));
      EXPECT_EQ(values_of(out), engine) << file;
      if (!input->is_apr()) continue;
      const std::string line = std::get<Apr>(out).history.back();
      EXPECT_NE(line.find("background_file"), std::string::npos) << line;
      EXPECT_EQ(line.find("background="), std::string::npos) << line;
    }
    // At hand already.
    IterationHooks hooks;
    hooks.background = Dataset::create(Data{image});
    EXPECT_EQ(values_of(done(cpu_backend()->iterate(deconvolution(4, {{"offset", 100.0}}), *input,
                                                    hooks, {}))),
              engine);
    EXPECT_GT(cpu_backend()->estimate_bytes(deconvolution(4, {{"background_file", tif}}), *input),
              cpu_backend()->estimate_bytes(deconvolution(4), *input));
  }
}

TEST(DeconvolutionBackground, SaysWhatIsWrongWithAnImage) {
  IterationHooks hooks;
  const auto expect = [&](const Volume& volume, const char* part) {
    hooks.background = Dataset::create(Data{volume});
    for (const auto& input : {pixels(), particles()}) {
      const std::string text = refusal(deconvolution(2), *input, hooks);
      EXPECT_NE(text.find(part), std::string::npos) << text;
      EXPECT_NE(text.find(volume.name), std::string::npos) << text;
    }
  };
  expect(test::image_of({16, 16, 15}, light), "16 × 16 × 15 pixels instead of 16 × 16 × 16");
  Volume bad = test::image_of(kSize, light);
  std::get<Pixels<float>>(bad.pixels).values[7] = std::numeric_limits<float>::quiet_NaN();
  expect(bad, "holds 1 values that are not finite");
  bad = test::image_of(kSize, light);
  std::get<Pixels<float>>(bad.pixels).values[7] = -1.0F;
  std::get<Pixels<float>>(bad.pixels).values[9] = -2.0F;
  expect(bad, "holds 2 negative values");
  Operation missing = deconvolution(2, {{"background_file", std::string("/nowhere/light.tif")}});
  EXPECT_NE(refusal(missing, *pixels()).find("/nowhere/light.tif"), std::string::npos);
}

TEST(DeconvolutionBackground, VoxelsMustAgreeWhereBothAreKnown) {
  Volume image = test::image_of(kSize, camera);
  image.voxel = {2.0, 0.5, 0.5, "µm"};
  const auto input = Dataset::create(Data{image});
  IterationHooks hooks;
  Volume other = test::image_of(kSize, light);
  other.voxel = {2000.0, 500.0, 500.0, "nm"};
  hooks.background = Dataset::create(Data{other});
  EXPECT_TRUE(cpu_backend()->iterate(deconvolution(2), *input, hooks, {}).ok());
  other.voxel = {1.0, 1.0, 1.0, "px"};
  hooks.background = Dataset::create(Data{other});
  EXPECT_TRUE(cpu_backend()->iterate(deconvolution(2), *input, hooks, {}).ok());
  other.voxel = {2.0, 0.6, 0.5, "µm"};
  hooks.background = Dataset::create(Data{other});
  const std::string text = refusal(deconvolution(2), *input, hooks);
  EXPECT_NE(text.find("2 × 0.6 × 0.5 µm instead of 2 × 0.5 × 0.5 µm"), std::string::npos) << text;
}

TEST(DeconvolutionBackground, SaysWhereNothingIsLeft) {
  for (const auto& input : {pixels(), particles()}) {
    const std::string text = refusal(deconvolution(2, {{"offset", 5000.0}}), *input);
    EXPECT_NE(text.find("nothing of the image is above"), std::string::npos) << text;
  }
  EXPECT_FALSE(complete(deconvolution(2, {{"offset", -1.0}})).ok());
  EXPECT_FALSE(complete(deconvolution(2, {{"background", -1.0}})).ok());
}

TEST(DeconvolutionBackground, RunsGoOnWithTheSame) {
  const std::map<std::string, ParameterValue> with{{"offset", 100.0}, {"background", 5.0}};
  for (const auto& input : {pixels(), particles()}) {
    const Data whole = done(cpu_backend()->run(deconvolution(7, with), *input, {}));
    Operation on = deconvolution(3, with);
    on.parameters["start"] = std::string("previous");
    const auto both = execute({deconvolution(4, with), on}, input, *cpu_backend());
    ASSERT_TRUE(both.ok()) << both.error().message();
    EXPECT_EQ(values_of(both->data->data()), values_of(whole));
  }
}

// The whole of a large PSF, in every scheme, and by transform on pixels: a constant over offset and
// background is one, and what is there is explained.
TEST(DeconvolutionBackground, EverySchemeKnowsIt) {
  const auto flat = [](std::int64_t, std::int64_t, std::int64_t) { return 137.0; };
  Stencil psf{{9, 9, 9}, std::vector<double>(729), "ramp"};
  for (std::size_t i = 0; i < 729; ++i)
    psf.weights[i] = 1.0 + 0.3 * std::sin(0.7 * static_cast<double>(i));
  for (const auto& input : {Dataset::create(Data{test::image_of(kSize, flat)}),
                            Dataset::create(Data{test::two_level_apr(16, flat)})}) {
    for (const char* scheme : {"full", "lean", "truncated"}) {
      for (const char* regularisation : {"none", "total_variation", "tikhonov_miller"}) {
        for (const bool accelerate : {false, true}) {
          const Data out = done(
              cpu_backend()->run(deconvolution(10, {{"offset", 100.0},
                                                    {"background", 12.0},
                                                    {"scheme", std::string(scheme)},
                                                    {"near", std::int64_t{3}},
                                                    {"regularisation", std::string(regularisation)},
                                                    {"accelerate", accelerate},
                                                    {"psf", std::string("given")},
                                                    {"psf_size", std::array<double, 3>{0, 0, 0}},
                                                    {"psf_weights", psf.normalized()}}),
                                 *input, {}));
          // Total variation takes what rounding leaves for edges, with its strength in each
          // direction, as it does without a background.
          const bool edges = regularisation == std::string("total_variation");
          const float bound = edges ? 3 * 0.002F * 25.0F : 1e-3F;
          for (const float v : values_of(out)) ASSERT_NEAR(v, 25.0F, bound) << scheme;
        }
      }
    }
  }
}

}  // namespace
}  // namespace aprscope
