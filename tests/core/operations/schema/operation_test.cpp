#include "core/operations/schema/operation.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

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
  for (const OperationSchema* each : operation_schemas()) {
    const OperationSchema& schema = *each;
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

}  // namespace
}  // namespace aprscope
