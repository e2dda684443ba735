#include "core/pipeline/recipe.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/atomic_file.hpp"
#include "core/pipeline/execution.hpp"
#include "tests/core/pipeline/data_builders.hpp"
#include "tests/support/paths.hpp"

namespace aprscope {
namespace {

using Vector = std::array<double, 3>;

TEST(Recipe, RoundTripKeepsEveryKindOfParameter) {
  Recipe recipe{"some \"odd\" path/ö.tif", 2, 3, {}};
  for (const OperationSchema* each : operation_schemas()) {
    const OperationSchema& schema = *each;
    recipe.steps.push_back(*complete({schema.id, {}}));
  }
  recipe.steps.push_back({"gaussian", {{"sigma", Vector{0.1, 1.0 / 3.0, 2}}}});
  recipe.steps.push_back({"custom", {{"stencil", Stencil{{1, 1, 3}, {0.1, -2e-9, 1e7}, "w"}}}});
  recipe.steps.push_back({"reconstruct", {{"at_level", std::int64_t{3}}}});
  const auto back = recipe_from_json(to_json(recipe));
  ASSERT_TRUE(back.ok()) << back.error().message();
  EXPECT_EQ(*back, recipe);
}

TEST(Recipe, WritesTheDocumentedForm) {
  const auto json = nlohmann::json::parse(
      to_json(Recipe{"a.tif", 0, 0, {{"gaussian", {{"sigma", Vector{2, 2, 2}}}}}}));
  EXPECT_EQ(json["aprscope"], 2);
  EXPECT_EQ(json["input"], "a.tif");
  EXPECT_EQ(json["steps"][0]["operation"], "gaussian");
  EXPECT_EQ(json["steps"][0]["parameters"]["sigma"], (std::vector<double>{2, 2, 2}));
}

TEST(Recipe, ReadsWhatAPersonMayWrite) {
  const auto recipe = recipe_from_json(
      R"({"aprscope": 1, "steps": [{"operation": "box"},
          {"operation": "gaussian", "parameters": {"sigma": 2, "size": 13}},
          {"operation": "convert", "parameters": {"lambda": 1, "rel_error": 0.2}}]})");
  ASSERT_TRUE(recipe.ok()) << recipe.error().message();
  EXPECT_TRUE(recipe->input.empty());
  EXPECT_EQ(std::get<Vector>(recipe->steps[1].parameters.at("sigma")), (Vector{2, 2, 2}));
  EXPECT_EQ(std::get<double>(recipe->steps[2].parameters.at("lambda")), 1.0);
}

// Until version 2 a conversion that named no PSF had one of 1 px.
TEST(Recipe, OfAnOlderVersionGivesWhatItGave) {
  const std::string steps = R"(, "steps": [{"operation": "convert", "parameters": {"lambda": 1}},
      {"operation": "gaussian"}]})";
  const auto older = recipe_from_json(R"({"aprscope": 1)" + steps);
  ASSERT_TRUE(older.ok()) << older.error().message();
  EXPECT_EQ(parameter<Vector>(*complete(older->steps[0]), "psf"), (Vector{1, 1, 1}));
  const auto newer = recipe_from_json(R"({"aprscope": 2)" + steps);
  ASSERT_TRUE(newer.ok());
  EXPECT_EQ(parameter<Vector>(*complete(newer->steps[0]), "psf"), (Vector{2, 2, 2}));
  // Said, it counts whatever the version; read and written again, it stays.
  const auto said = recipe_from_json(
      R"({"aprscope": 1, "steps": [{"operation": "convert", "parameters": {"psf": 3}}]})");
  ASSERT_TRUE(said.ok());
  EXPECT_EQ(parameter<Vector>(said->steps[0], "psf"), (Vector{3, 3, 3}));
  const auto again = recipe_from_json(to_json(*older));
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(*again, *older);
}

struct Wrong {
  const char* text;
  std::vector<const char*> mentions;
};
class RecipeErrors : public ::testing::TestWithParam<Wrong> {};

TEST_P(RecipeErrors, NameTheStepAndTheParameter) {
  const auto recipe = recipe_from_json(GetParam().text);
  ASSERT_FALSE(recipe.ok()) << GetParam().text;
  for (const char* word : GetParam().mentions) {
    EXPECT_NE(recipe.error().message().find(word), std::string::npos)
        << "\"" << word << "\" not in: " << recipe.error().message();
  }
}

#define STEPS(text) "{\"aprscope\": 1, \"steps\": [{\"operation\": \"box\"}, " text "]}"
INSTANTIATE_TEST_SUITE_P(
    All, RecipeErrors,
    ::testing::Values(
        Wrong{"", {"JSON"}}, Wrong{"{\"aprscope\": 1,", {"JSON"}}, Wrong{"[]", {"not a recipe"}},
        Wrong{"{\"steps\": []}", {"not a recipe"}},
        Wrong{"{\"aprscope\": 3, \"steps\": []}", {"version 3"}},
        Wrong{"{\"aprscope\": 0, \"steps\": []}", {"version 0"}},
        Wrong{"{\"aprscope\": \"\xff\", \"steps\": []}", {}}, Wrong{"{\"aprscope\": 1}", {"steps"}},
        Wrong{"{\"aprscope\": 1, \"steps\": {}}", {"steps"}},
        Wrong{"{\"aprscope\": 1, \"stepz\": []}", {"stepz"}},
        Wrong{"{\"aprscope\": 1, \"input\": 3, \"steps\": []}", {"input"}},
        Wrong{"{\"aprscope\": 1, \"channel\": -1, \"steps\": []}", {"channel"}},
        Wrong{"{\"aprscope\": 1, \"time\": 1.5, \"steps\": []}", {"time"}},
        Wrong{STEPS("3"), {"step 2"}}, Wrong{STEPS("{}"), {"step 2", "operation"}},
        Wrong{STEPS("{\"operation\": 5}"), {"step 2", "operation"}},
        Wrong{STEPS("{\"operation\": \"blur\"}"), {"step 2", "blur"}},
        Wrong{STEPS("{\"operation\": \"blur\", \"parameters\": {\"a\": 1}}"), {"step 2", "blur"}},
        Wrong{STEPS("{\"operation\": \"box\", \"parameters\": []}"), {"step 2 (box)"}},
        Wrong{STEPS("{\"operation\": \"box\", \"extra\": 1}"), {"step 2 (box)", "extra"}},
        Wrong{STEPS("{\"operation\": \"box\", \"parameters\": {\"sise\": 3}}"),
              {"step 2 (box)", "sise"}},
        Wrong{STEPS("{\"operation\": \"box\", \"parameters\": {\"size\": 4}}"),
              {"step 2 (box)", "size", "4"}},
        Wrong{STEPS("{\"operation\": \"box\", \"parameters\": {\"size\": [3, 3]}}"),
              {"step 2 (box)", "size"}},
        Wrong{STEPS("{\"operation\": \"box\", \"parameters\": {\"size\": \"3\"}}"),
              {"step 2 (box)", "size"}},
        Wrong{STEPS("{\"operation\": \"box\", \"parameters\": {\"mode\": \"none\"}}"),
              {"step 2 (box)", "mode", "none"}},
        Wrong{STEPS("{\"operation\": \"box\", \"parameters\": {\"normalize\": 1}}"),
              {"step 2 (box)", "normalize"}},
        Wrong{STEPS("{\"operation\": \"convert\", \"parameters\": {\"rel_error\": 1e999}}"), {}},
        Wrong{STEPS("{\"operation\": \"convert\", \"parameters\": {\"rel_error\": null}}"),
              {"step 2 (convert)", "rel_error"}},
        Wrong{STEPS("{\"operation\": \"reconstruct\", \"parameters\": {\"at_level\": 2.5}}"),
              {"step 2 (reconstruct)", "at_level"}},
        Wrong{
            STEPS("{\"operation\": \"custom\", \"parameters\": {\"stencil\": {\"size\": [1, 1, 2],"
                  " \"weights\": [1, 2]}}}"),
            {"step 2 (custom)", "stencil"}}));
#undef STEPS

TEST(Recipe, FilesRoundTripAndErrorsNameThem) {
  const test::TemporaryFolder folder;
  const Recipe recipe{"a.tif", 0, 0, {*complete({"median", {}})}};
  ASSERT_TRUE(save_recipe(recipe, folder / "r.json").ok());
  EXPECT_EQ(*load_recipe(folder / "r.json"), recipe);
  ASSERT_TRUE(write_text_atomically(folder / "bad.json", "{}").ok());
  const auto bad = load_recipe(folder / "bad.json");
  ASSERT_FALSE(bad.ok());
  EXPECT_NE(bad.error().message().find("bad.json"), std::string::npos);
  EXPECT_FALSE(load_recipe(folder / "none.json").ok());
  EXPECT_FALSE(save_recipe(recipe, folder / "missing" / "r.json").ok());
}

TEST(Recipe, ExamplesRunOnAnImage) {
  const auto image = Dataset::create(test::image_of({16, 20, 24}, test::rough));
  int count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(test::source_dir() / "resources" / "recipes")) {
    const auto recipe = load_recipe(entry.path());
    ASSERT_TRUE(recipe.ok()) << recipe.error().message();
    EXPECT_TRUE(recipe->input.empty()) << entry.path();
    const auto done = execute(recipe->steps, image, *cpu_backend());
    EXPECT_TRUE(done.ok()) << entry.path() << ": " << done.error().message();
    ++count;
  }
  EXPECT_GE(count, 6);
}

TEST(RecipeSteps, TakeTheirInputForItsWord) {
  const auto channels = [](const std::string& files, const std::string& input) {
    const auto steps = steps_for({{"cells", {{"channels", files}}}, {"gaussian", {}}}, input);
    return std::get<std::string>(steps.front().parameters.at("channels"));
  };
  EXPECT_EQ(channels("input", "a.tif"), "a.tif");
  EXPECT_EQ(channels("b.tif; input", "a;c.tif"), "b.tif; \"a;c.tif\"");
  // Paths stay as they are.
  EXPECT_EQ(channels("b.tif ;x/input", "a.tif"), "b.tif ;x/input");
}

TEST(RecipeSteps, AreSavedWithTheWordForTheirInput) {
  const test::TemporaryFolder folder;
  const std::string path = (folder / "recipe.json").string();
  const auto saved = [&](const std::string& input, const std::string& files) {
    EXPECT_TRUE(save_recipe({input, 0, 0, {{"cells", {{"channels", files}}}}}, path).ok());
    const auto read = load_recipe(path);
    EXPECT_TRUE(read.ok());
    return std::get<std::string>(read->steps.front().parameters.at("channels"));
  };
  EXPECT_EQ(saved("a.tif", "a.tif; b.tif"), "input; b.tif");
  EXPECT_EQ(saved("a.tif", "c.tif"), "c.tif");
  EXPECT_EQ(saved("", "c.tif"), "c.tif");
}

}  // namespace
}  // namespace aprscope
