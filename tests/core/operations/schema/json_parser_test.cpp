#include "core/io/common/json_parser.hpp"

#include <ctime>

#include <gtest/gtest.h>

#include "core/operations/filter/stencil_file.hpp"
#include "core/pipeline/recipe.hpp"
#include "core/pipeline/workspace.hpp"
#include "tests/support/paths.hpp"

namespace aprscope {
namespace {

using Json = nlohmann::ordered_json;

std::string nested(int depth) {
  const auto n = static_cast<std::size_t>(depth);
  return std::string(n, '[') + std::string(n, ']');
}

std::string problem_of(const std::string& text) {
  const auto json = parse_json(text, "here");
  if (json) return "";
  EXPECT_EQ(json.error().where, "here");
  EXPECT_FALSE(json.error().advice.empty());
  return json.error().what;
}

TEST(JsonParser, ReadsWhatTheLibraryReads) {
  for (const char* text : {"null", "3", "-7", "1e3", "\"ö\\n\"", "[]", "{}",
                           "[1, [2, {\"b\": [], \"a\": {\"c\": 3}}], true]", "18446744073709551615",
                           "18446744073709551616", "{\"\": {\"\": 1}}"}) {
    const auto json = parse_json(text, "here");
    ASSERT_TRUE(json.ok()) << json.error().message();
    EXPECT_EQ(*json, Json::parse(text)) << text;
    EXPECT_EQ(json->dump(), Json::parse(text).dump());
  }
}

TEST(JsonParser, RefusesDepthBeforeItCostsStack) {
  EXPECT_EQ(problem_of(nested(32)), "");
  EXPECT_NE(problem_of(nested(33)).find("deeper than 32"), std::string::npos);
  // Two million levels: the stack of no machine would do.
  EXPECT_NE(problem_of(nested(2'000'000)).find("deeper than 32"), std::string::npos);
  EXPECT_NE(problem_of(std::string(2'000'000, '[')).find("deeper than 32"), std::string::npos);
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
  EXPECT_NE(problem_of(objects).find("deeper than 32"), std::string::npos);
}

TEST(JsonParser, RefusesWhatOnlyAttacksHold) {
  EXPECT_NE(problem_of("{\"a\": 1, \"a\": 2}").find("\"a\" twice"), std::string::npos);
  EXPECT_NE(problem_of("[1e999]").find("number"), std::string::npos);
  EXPECT_NE(problem_of("[-1e999]").find("number"), std::string::npos);
  EXPECT_NE(problem_of("\"a\\u0000b\"").find("zero byte"), std::string::npos);
  EXPECT_NE(problem_of("\"" + std::string(1U << 17U, 'x') + "\"").find("65536"), std::string::npos);
  EXPECT_NE(problem_of("{\"" + std::string(101, 'x') + "\": 1}").find("name"), std::string::npos);
  EXPECT_NE(problem_of("{").find("not valid JSON"), std::string::npos);
  EXPECT_NE(problem_of("").find("not valid JSON"), std::string::npos);
  EXPECT_NE(problem_of("[NaN]").find("not valid JSON"), std::string::npos);
  EXPECT_NE(problem_of("\"\xff\"").find("not valid JSON"), std::string::npos);
  EXPECT_NE(problem_of("1 2").find("not valid JSON"), std::string::npos);
}

TEST(JsonParser, TakesTimeAsTheTextIsLong) {
  // A million members of one object would be compared pairwise.
  std::string members = "{\"m\": 0";
  for (int i = 0; i < 1'000'000; ++i) members += ", \"m" + std::to_string(i) + "\": 0";
  // Of this process alone, whatever else the machine does.
  const std::clock_t begin = std::clock();
  EXPECT_NE(problem_of(members + "}").find("more members"), std::string::npos);
  std::string lists = "[[]";
  for (int i = 0; i < 2'000'000; ++i) lists += ",[]";
  EXPECT_NE(problem_of(lists + "]").find("more lists"), std::string::npos);
  std::string values = "[0";
  for (int i = 0; i < 9'000'000; ++i) values += ",0";
  EXPECT_NE(problem_of(values + "]").find("more values"), std::string::npos);
  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 20.0);
}

TEST(JsonParser, WholeNumbersDoNotWrap) {
  EXPECT_EQ(whole_number(Json::parse("7")), 7);
  EXPECT_EQ(whole_number(Json::parse("-7")), -7);
  EXPECT_EQ(whole_number(Json::parse("7.0")), 7);
  EXPECT_EQ(whole_number(Json::parse("9223372036854775807")), INT64_MAX);
  for (const char* text : {"9223372036854775808", "18446744073709551615", "1e300", "7.5", "null",
                           "true", "\"7\"", "[7]"}) {
    EXPECT_EQ(whole_number(Json::parse(text)), std::nullopt) << text;
  }
}

TEST(JsonParser, VersionsAreComparedByTypeBeforeTheyArePrinted) {
  for (const std::string version : {"[[[[]]]]", "{\"a\": {}}", "\"1\"", "null", "true", "1.5"}) {
    for (const auto& message :
         {recipe_from_json("{\"aprscope\": " + version + ", \"steps\": []}").error().message(),
          workspace_from_json("{\"aprscope_workspace\": " + version + "}").error().message()}) {
      EXPECT_NE(message.find("version that is not a whole number"), std::string::npos) << message;
    }
  }
}

TEST(JsonParser, EveryReaderOfFilesRefusesDepth) {
  const std::string deep = nested(100'000);
  for (const auto& message :
       {recipe_from_json("{\"aprscope\":" + deep + ",\"steps\":[]}").error().message(),
        recipe_from_json("{\"aprscope\":1,\"steps\":" + deep + "}").error().message(),
        workspace_from_json("{\"aprscope_workspace\":" + deep + "}").error().message(),
        workspace_from_json("{\"aprscope_workspace\":1,\"items\":[{\"recipe\":" + deep + "}]}")
            .error()
            .message(),
        stencil_from_json("{\"size\":" + deep + "}", "w.json").error().message()}) {
    EXPECT_NE(message.find("deeper than 32"), std::string::npos) << message;
    EXPECT_LT(message.size(), 200U);
  }
}

TEST(JsonParser, TheDeepFilesOfTheAttackGetASentence) {
  APRSCOPE_NEEDS_DATA();
  const auto folder = test::data_dir() / "hostile";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no " << folder;
  const auto recipe = load_recipe(folder / "deep_version.json");
  ASSERT_FALSE(recipe.ok());
  EXPECT_NE(recipe.error().message().find("deep_version.json"), std::string::npos);
  const auto workspace = load_workspace(folder / "deep_version.aprscope");
  ASSERT_FALSE(workspace.ok());
  EXPECT_NE(workspace.error().message().find("deep_version.aprscope"), std::string::npos);
  for (const Error& error : {recipe.error(), workspace.error()}) {
    EXPECT_NE(error.message().find("deeper than 32"), std::string::npos) << error.message();
  }
}

TEST(JsonParser, LongWordsDoNotFillTheMessage) {
  const std::string word(10'000, 'x');
  for (const auto& text :
       {"[{\"operation\": \"" + word + "\"}]",
        "[{\"operation\": \"box\", \"parameters\": {\"mode\": \"" + word + "\"}}]"}) {
    const auto recipe = recipe_from_json("{\"aprscope\": 1, \"steps\": " + text + "}");
    ASSERT_FALSE(recipe.ok());
    EXPECT_LT(recipe.error().message().size(), 300U);
  }
}

}  // namespace
}  // namespace aprscope
