// Channels that share one structure, by the real program.
#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "core/io/image_source.hpp"
#include "core/pipeline/recipe.hpp"
#include "tests/app/cli/film_fixture.hpp"

namespace aprscope::test {
namespace {

class SharedStructure : public Film {
 protected:
  Apr read(const std::string& name, SourceSelection selection) {
    const auto info = inspect(path(name));
    EXPECT_TRUE(info.ok()) << info.error().message();
    auto data = load(*info, selection);
    EXPECT_TRUE(data.ok()) << data.error().message();
    return data ? std::get<Apr>(*std::move(data)) : Apr{};
  }
  std::vector<std::string> convert_all(const std::string& output) {
    return {"convert", path("movie.tif"), "--channels", "all", "--times",
            "all",     "--structure",     "shared",     "-o",  path(output)};
  }
};

TEST_F(SharedStructure, IsTheUnionOfThoseOfTheChannelsAtEachTimePoint) {
  const auto done = run(convert_all("shared.apr"));
  run({"convert", path("movie.tif"), "--channels", "all", "--times", "all", "--structure", "own",
       "-o", path("own.apr")});
  ASSERT_EQ(done["parts"].size(), 6U);
  for (int t = 0; t < kFilmTimes; ++t) {
    const Apr shared = read("shared.apr", {0, t});
    const Apr other = read("shared.apr", {1, t});
    EXPECT_TRUE(shared.access->particles() == other.access->particles());
    EXPECT_TRUE(shared.access->tree() == other.access->tree());
    EXPECT_NE(shared.main_field()->to_float(), other.main_field()->to_float());
    const Apr first = read("own.apr", {0, t});
    const Apr second = read("own.apr", {1, t});
    EXPECT_FALSE(first.access->particles() == second.access->particles());
    for (std::int64_t z = 0; z < kFilmSize.z; ++z) {
      for (std::int64_t x = 0; x < kFilmSize.x; ++x) {
        for (std::int64_t y = 0; y < kFilmSize.y; ++y) {
          const Index3 at{z, x, y};
          ASSERT_EQ(shared.access->find(at).level,
                    std::max(first.access->find(at).level, second.access->find(at).level));
        }
      }
    }
  }
  // Time points have structures of their own.
  EXPECT_FALSE(read("shared.apr", {0, 0}).access->particles() ==
               read("shared.apr", {0, 2}).access->particles());
}

TEST_F(SharedStructure, StreamedItIsTheSameFile) {
  const auto done = run(convert_all("whole.apr"));
  for (const bool tree : {false, true}) {
    auto whole = convert_all("whole.apr");
    auto streamed = convert_all("streamed.apr");
    streamed.emplace_back("--stream");
    if (tree) {
      whole.emplace_back("--tree");
      streamed.emplace_back("--tree");
    }
    run(whole);
    const auto slices = run(streamed);
    EXPECT_EQ(slices["streamed"], true);
    EXPECT_EQ(slices["parts"], done["parts"]);
    EXPECT_EQ(bytes_of(path("streamed.apr")), bytes_of(path("whole.apr")));
  }
}

TEST_F(SharedStructure, IsKeptInARecipe) {
  run(convert_all("shared.apr"));
  run({"convert", path("movie.tif"), "--structure", "shared", "-o", path("recipe.json")});
  EXPECT_NE(bytes_of(path("recipe.json")).find("\"structure\": \"shared\""), std::string::npos);
  run({"run", path("recipe.json"), path("movie.tif"), "--channels", "all", "--times", "all", "-o",
       path("replayed.apr")});
  EXPECT_EQ(bytes_of(path("replayed.apr")), bytes_of(path("shared.apr")));
}

// A conversion of particles needs all of them: a limit of memory changes nothing of what it makes.
TEST_F(SharedStructure, IsTheSameBesideALimitOfMemory) {
  run({"convert", path("movie.tif"), "--channels", "all", "--times", "all", "-o", path("own.apr")});
  Recipe recipe;
  recipe.steps = {{"reconstruct", {}}, {"convert", {{"structure", std::string("shared")}}}};
  ASSERT_TRUE(save_recipe(recipe, path("again.json")));
  const auto args = [&](const std::string& output) {
    return std::vector<std::string>{"run",       path("again.json"), path("own.apr"), "--channels",
                                    "all",       "--times",          "all",           "-o",
                                    path(output)};
  };
  auto limited = args("limited.apr");
  limited.insert(limited.end(), {"--memory", "1GB"});
  const auto wanted = run(args("shared.apr"));
  const auto done = run(limited);
  EXPECT_EQ(done["parts"], wanted["parts"]);
  EXPECT_TRUE(read("limited.apr", {0, 0}).access->particles() ==
              read("limited.apr", {1, 0}).access->particles());
  EXPECT_EQ(bytes_of(path("limited.apr")), bytes_of(path("shared.apr")));
}

TEST_F(SharedStructure, ALimitOfMemoryIsForParticles) {
  Recipe recipe;
  recipe.input = path("movie.tif");
  recipe.steps = {{"convert", {{"structure", std::string("shared")}}}};
  ASSERT_TRUE(save_recipe(recipe, path("of_movie.json")));
  expect_wrong(
      {"run", path("of_movie.json"), "--channels", "all", "--memory", "1GB", "-o", path("out.apr")},
      "from an .apr to an .apr", 1);
}

TEST_F(SharedStructure, WhatCannotShareIsRefused) {
  const std::string out = path("out.apr");
  expect_wrong({"convert", path("movie.tif"), "--structure", "shared", "-o", out},
               "name them by --channels", 2);
  expect_wrong({"convert", path("movie.tif"), "--structure", "shared", "--times", "all", "-o", out},
               "name them by --channels", 2);
  expect_wrong({"convert", path("movie.tif"), "--structure", "one", "-o", out}, "structure", 2);
  expect_wrong({"convert", path("movie.tif"), "--structure", "shared", "--channels", "all",
                "--stream", "-o", path("out.zarr")},
               "slice by slice with a structure that channels share", 1);
  EXPECT_FALSE(std::filesystem::exists(out));
  EXPECT_FALSE(std::filesystem::exists(path("out.zarr")));
}

}  // namespace
}  // namespace aprscope::test
