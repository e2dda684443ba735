#include "core/operations/schema/operation.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "core/operations/particles/conversion_operation.hpp"

namespace aprscope {
namespace {

using Vector = std::array<double, 3>;

std::string message(const Operation& operation) {
  const auto done = complete(operation);
  return done ? std::string() : done.error().message();
}

void expect_mentions(const std::string& text, std::initializer_list<const char*> words) {
  for (const char* word : words) {
    EXPECT_NE(text.find(word), std::string::npos) << "\"" << word << "\" not in: " << text;
  }
}

TEST(Complete, FillsInDefaultsAndKeepsWhatIsGiven) {
  const auto done = complete({"gaussian", {{"sigma", Vector{1, 2, 3}}}});
  ASSERT_TRUE(done.ok());
  EXPECT_EQ(parameter<Vector>(*done, "sigma"), (Vector{1, 2, 3}));
  EXPECT_EQ(parameter<std::string>(*done, "boundary"), "reflect");
  EXPECT_EQ(done->parameters.size(), find_schema("gaussian")->parameters.size());
}

TEST(Complete, NamesWhatIsWrong) {
  expect_mentions(message({"blur", {}}), {"blur", "gaussian"});
  expect_mentions(message({"gaussian", {{"radius", 2.0}}}), {"gaussian", "radius", "sigma"});
  expect_mentions(message({"gaussian", {{"sigma", 2.0}}}), {"gaussian", "sigma", "three"});
  expect_mentions(message({"gaussian", {{"sigma", Vector{1, -1, 1}}}}),
                  {"sigma", "-1", "0 to 100"});
  expect_mentions(message({"gaussian", {{"size", Vector{3, 4, 3}}}}), {"size", "4", "odd"});
  expect_mentions(message({"gaussian", {{"size", Vector{3, 3.5, 3}}}}), {"size", "3.5", "odd"});
  expect_mentions(message({"box", {{"size", Vector{0, 3, 3}}}}), {"size", "0"});
  expect_mentions(message({"gaussian", {{"mode", std::string("smaller")}}}),
                  {"mode", "smaller", "restricted"});
  expect_mentions(message({"convert", {{"rel_error", 0.0}}}), {"rel_error", "outside"});
  expect_mentions(message({"convert", {{"lambda", std::int64_t{3}}}}), {"lambda", "number"});
  expect_mentions(message({"convert", {{"auto_thresholds", 1.0}}}), {"auto_thresholds", "true"});
  expect_mentions(message({"convert", {{"lambda", std::numeric_limits<double>::quiet_NaN()}}}),
                  {"lambda", "finite"});
  expect_mentions(message({"custom", {{"stencil", Stencil{{2, 1, 1}, {1, 1}, ""}}}}), {"stencil"});
}

TEST(Complete, AcceptsTheEndsOfARange) {
  EXPECT_TRUE(complete({"convert", {{"rel_error", 0.0001}}}).ok());
  EXPECT_TRUE(complete({"convert", {{"rel_error", 10.0}}}).ok());
  EXPECT_TRUE(complete({"gaussian", {{"size", Vector{0, 255, 1}}}}).ok());
}

TEST(Text, ValuesSurviveTheRoundTrip) {
  for (const OperationSchema& schema : operation_schemas()) {
    for (const ParameterSpec& spec : schema.parameters) {
      if (spec.type == ParameterType::stencil) continue;
      const auto back = value_from_text(spec, to_text(spec.default_value));
      ASSERT_TRUE(back.ok()) << spec.id;
      EXPECT_EQ(*back, spec.default_value) << schema.id << "." << spec.id;
    }
  }
  const ParameterSpec& sigma = *find_schema("gaussian")->parameter("sigma");
  EXPECT_EQ(*value_from_text(sigma, to_text(Vector{0.1, 1.0 / 3.0, 1e-7})),
            ParameterValue(Vector{0.1, 1.0 / 3.0, 1e-7}));
}

TEST(Text, RefusesWhatIsNoValue) {
  const ParameterSpec& sigma = *find_schema("gaussian")->parameter("sigma");
  for (const char* bad : {"", "a", "1,2", "1,2,3,4", "1,,2", "1,2,", "2 ", "1;2;3"}) {
    EXPECT_FALSE(value_from_text(sigma, bad).ok()) << bad;
  }
  const ParameterSpec& flag = *find_schema("gaussian")->parameter("normalize");
  for (const char* bad : {"", "2", "maybe", "TRUE "}) {
    EXPECT_FALSE(value_from_text(flag, bad).ok()) << bad;
  }
  const ParameterSpec& level = *find_schema("reconstruct")->parameter("at_level");
  for (const char* bad : {"1.5", "x", "1e300"}) EXPECT_FALSE(value_from_text(level, bad).ok());
}

TEST(Describe, SaysWhatWasDone) {
  EXPECT_EQ(describe({"gaussian", {}}), "gaussian sigma=2,2,2 px, restricted, reflect, normalize");
  EXPECT_EQ(describe({"gaussian",
                      {{"sigma", Vector{1, 0.5, 0.5}},
                       {"sigma_unit", std::string("physical")},
                       {"size", Vector{5, 5, 5}},
                       {"normalize", false}}}),
            "gaussian sigma=1,0.5,0.5 physical size=5,5,5 px, restricted, reflect, no normalize");
  EXPECT_NE(describe({"convert", {{"rel_error", 0.05}}}).find("rel_error=0.05"), std::string::npos);
  EXPECT_NE(describe({"custom", {}}).find("1x1x1 stencil"), std::string::npos);
}

TEST(Describe, OfAPsfSaysOnlyWhatItsKindLooksAt) {
  const std::string gaussian = describe({"deconvolve", {{"na", 1.1}}});
  EXPECT_NE(gaussian.find("psf_sigma=2,2,2 px"), std::string::npos) << gaussian;
  EXPECT_EQ(gaussian.find("na="), std::string::npos) << gaussian;
  const std::string lens =
      describe({"deconvolve", {{"psf", std::string("born_wolf")}, {"na", 1.1}, {"depth", 9.0}}});
  EXPECT_NE(lens.find("born_wolf"), std::string::npos) << lens;
  EXPECT_NE(lens.find("na=1.1"), std::string::npos) << lens;
  EXPECT_EQ(lens.find("sigma"), std::string::npos) << lens;
  EXPECT_EQ(lens.find("depth"), std::string::npos) << lens;
}

TEST(StencilsOf, PhysicalSigmaIsDividedByTheVoxelSize) {
  const VoxelSize voxel{2.0, 0.5, 0.25, "µm"};
  const Size3 size{32, 32, 32};
  const auto physical = stencils_of(
      {"gaussian", {{"sigma", Vector{1, 1, 1}}, {"sigma_unit", std::string("physical")}}}, voxel,
      size);
  const auto pixels = stencils_of({"gaussian", {{"sigma", Vector{0.5, 2, 4}}}}, voxel, size);
  ASSERT_TRUE(physical.ok() && pixels.ok());
  EXPECT_EQ(physical->front().size, pixels->front().size);
  EXPECT_EQ(physical->front().weights, pixels->front().weights);
  // Automatic size: 2·ceil(3σ) + 1.
  EXPECT_EQ(pixels->front().size, (Size3{5, 13, 25}));
}

TEST(StencilsOf, GaussianHasTheRatiosOfAGaussian) {
  const auto made = stencils_of(
      {"gaussian", {{"sigma", Vector{2, 2, 2}}, {"size", Vector{5, 5, 5}}}}, {}, {9, 9, 9});
  ASSERT_TRUE(made.ok());
  const Stencil& s = made->front();
  ASSERT_EQ(s.size, (Size3{5, 5, 5}));
  const double centre = s.weights[62];
  EXPECT_NEAR(s.weights[63] / centre, std::exp(-1.0 / 8.0), 1e-12);
  EXPECT_NEAR(s.weights[0] / centre, std::exp(-12.0 / 8.0), 1e-12);
}

TEST(StencilsOf, LeavesOutDimensionsOfOnePixel) {
  const auto made = stencils_of({"gaussian", {{"size", Vector{13, 13, 13}}}}, {}, {1, 64, 64});
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made->front().size, (Size3{1, 13, 13}));
  const auto sobel =
      stencils_of({"gradient", {{"kind", std::string("sobel")}, {"component", std::string("y")}}},
                  {}, {1, 64, 64});
  ASSERT_TRUE(sobel.ok());
  ASSERT_EQ(sobel->front().size, (Size3{1, 3, 3}));
  // [1 2 1]/4 across x, [-1 0 1]/2 along y.
  const std::vector<double> expected{-0.125, 0, 0.125, -0.25, 0, 0.25, -0.125, 0, 0.125};
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(sobel->front().weights[i], expected[i], 1e-15);
}

TEST(StencilsOf, GradientGivesOneStencilAComponent) {
  const VoxelSize voxel{2.0, 1.0, 0.5, "µm"};
  const Operation all{"gradient", {{"distance_unit", std::string("physical")}}};
  const auto three = stencils_of(all, voxel, {8, 8, 8});
  ASSERT_TRUE(three.ok());
  ASSERT_EQ(three->size(), 3U);
  for (std::size_t d = 0; d < 3; ++d) {
    const double distance = std::array{2.0, 1.0, 0.5}[d];
    EXPECT_NEAR((*three)[d].weights.back(), 0.5 / distance, 1e-15);
  }
  Operation one = all;
  one.parameters["component"] = std::string("x");
  EXPECT_EQ(stencils_of(one, voxel, {8, 8, 8})->size(), 1U);
}

TEST(StencilsOf, RefusesWhatHasNoStencil) {
  EXPECT_FALSE(stencils_of({"median", {}}, {}, {8, 8, 8}).ok());
  EXPECT_FALSE(stencils_of({"convert", {}}, {}, {8, 8, 8}).ok());
  EXPECT_FALSE(stencils_of({"gaussian", {}}, {0.0, 1.0, 1.0, "µm"}, {8, 8, 8}).ok());
  const Operation huge{"gaussian", {{"sigma_unit", std::string("physical")}}};
  const auto refused = stencils_of(huge, {1e-6, 1e-6, 1e-6, "m"}, {8, 8, 8});
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message().find("sigma"), std::string::npos);
}

TEST(ConversionParameters, FollowTheOperation) {
  const auto op = complete({"convert",
                            {{"rel_error", 0.05},
                             {"auto_thresholds", false},
                             {"sigma_th", 12.0},
                             {"psf", Vector{3, 2, 1}}}});
  ASSERT_TRUE(op.ok());
  const auto plain = conversion_parameters(*op, {4, 2, 2, "µm"});
  EXPECT_FLOAT_EQ(plain.rel_error, 0.05F);
  EXPECT_FALSE(plain.auto_thresholds);
  EXPECT_FLOAT_EQ(plain.sigma_th, 12.0F);
  EXPECT_FLOAT_EQ(plain.dz, 1.0F);
  EXPECT_FLOAT_EQ(plain.psfz, 3.0F);
  Operation scaled = *op;
  scaled.parameters["use_voxel_size"] = true;
  const auto physical = conversion_parameters(scaled, {4, 2, 2, "µm"});
  EXPECT_FLOAT_EQ(physical.dz, 2.0F);
  EXPECT_FLOAT_EQ(physical.dx, 1.0F);
  // The window follows psf ÷ d, so the PSF in pixels stays what it is.
  EXPECT_FLOAT_EQ(physical.psfz / physical.dz, 3.0F);
}

}  // namespace
}  // namespace aprscope
