// Filters, deconvolutions and recipes of an .apr that memory has no room for, by the real program.
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/io/apr/apr_write.hpp"
#include "core/io/image_source.hpp"
#include "tests/app/cli/chain_fixture.hpp"

namespace aprscope::test {
namespace {

class SlabRun : public Chain {
 protected:
  void SetUp() override {
    run({"synth", "spheres", "-o", path("a.tif"), "--size", "72,128,128", "--seed", "3"});
    run({"convert", path("a.tif"), "-o", path("a.apr"), "--rel-error", "0.01", "--no-auto",
         "--tree", "--no-error-report"});
    run({"convert", path("a.tif"), "-o", path("bare.apr"), "--rel-error", "0.01", "--no-auto",
         "--no-error-report"});
  }

  nlohmann::json filter(const std::string& from, const std::string& to,
                        const std::vector<std::string>& options) {
    std::vector<std::string> arguments{"filter", path(from),  "-o",
                                       path(to), "--stencil", "gaussian:sigma=1.5,size=5",
                                       "--mode", "restricted"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return run(arguments);
  }

  Apr read(const std::string& name) {
    auto data = load_file(path(name));
    EXPECT_TRUE(data.ok()) << data.error().message();
    return data ? std::get<Apr>(*std::move(data)) : Apr{};
  }
};

TEST_F(SlabRun, FiltersAreTheSameDataInLessMemory) {
  filter("a.apr", "whole.apr", {"--tree", "--device", "cpu"});
  const auto report = filter("a.apr", "slabs.apr", {"--tree", "--memory", "17MB"});
  EXPECT_GE(report["slabs"].get<int>(), 2) << report.dump();
  EXPECT_EQ(report["output"], path("slabs.apr"));
  const Apr whole = read("whole.apr");
  const Apr slabs = read("slabs.apr");
  EXPECT_EQ(report["particles"], whole.access->count());
  EXPECT_EQ(slabs.access->particles(), whole.access->particles());
  EXPECT_EQ(slabs.main_field()->values, whole.main_field()->values);
  ASSERT_EQ(slabs.tree_fields.size(), 1U);
  EXPECT_EQ(slabs.tree_fields.front()->values, whole.tree_fields.front()->values);
  EXPECT_EQ(slabs.history, whole.history);
  // Packed as asked, too.
  filter("a.apr", "whole.apr", {"--packing", "quick", "--device", "cpu"});
  EXPECT_GE(filter("a.apr", "slabs.apr", {"--packing", "quick", "--memory", "17MB"})["slabs"], 2);
  expect_same_bytes("whole.apr", "slabs.apr");
  // Where it fits it is done in memory.
  EXPECT_FALSE(filter("a.apr", "fits.apr", {"--memory", "2GB"}).contains("slabs"));
}

TEST_F(SlabRun, DeconvolutionsAreTheSameDataInLessMemory) {
  const auto deconvolve = [&](const std::string& to, const std::vector<std::string>& options) {
    std::vector<std::string> arguments{
        "deconvolve",   path("a.apr"), "-o",       path(to), "--psf", "gaussian:sigma=1.5,size=7",
        "--iterations", "3",           "--offset", "auto",   "--tree"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return run(arguments);
  };
  const auto whole = deconvolve("whole.apr", {"--device", "cpu"});
  const auto slabs = deconvolve("slabs.apr", {"--memory", "26MB"});
  EXPECT_FALSE(whole.contains("slabs"));
  EXPECT_GE(slabs["slabs"].get<int>(), 2) << slabs.dump();
  expect_same_bytes("slabs.apr", "whole.apr");
  for (const char* key : {"operation", "offset", "iterations", "likelihood", "change", "partial"}) {
    EXPECT_EQ(slabs[key], whole[key]) << key;
  }
  EXPECT_EQ(slabs["rows"].size(), 3U);
  // What cannot be done in slabs says so.
  const auto done = run_cli({"deconvolve", path("a.apr"), "-o", path("b.apr"), "--memory", "26MB",
                             "--psf", "gaussian:sigma=1.5,size=7", "--photon-gain", "2"});
  EXPECT_EQ(done.exit_code, 1);
  EXPECT_TRUE(done.one_line_error()) << done.err;
  EXPECT_NE(done.err.find("needs all of its particles in memory"), std::string::npos) << done.err;
}

TEST_F(SlabRun, RecipesAreTheSameDataInLessMemory) {
  std::ofstream(path("two.json")) << R"({"aprscope": 2, "steps": [
    {"operation": "gaussian", "parameters": {"sigma": [1, 1, 1], "mode": "restricted"}},
    {"operation": "deconvolve", "parameters": {"psf": "gaussian", "psf_sigma": [1, 1, 1],
     "psf_size": [5, 5, 5], "iterations": 2, "offset_auto": true}}]})";
  const auto whole =
      run({"run", path("two.json"), path("a.apr"), "-o", path("whole.apr"), "--device", "cpu"});
  const auto slabs =
      run({"run", path("two.json"), path("a.apr"), "-o", path("slabs.apr"), "--memory", "26MB"});
  EXPECT_FALSE(whole.contains("slabs"));
  EXPECT_TRUE(slabs.contains("slabs")) << slabs.dump();
  EXPECT_EQ(slabs["steps"], whole["steps"]);
  EXPECT_EQ(slabs["step_seconds"].size(), 2U);
  const Apr one = read("whole.apr");
  const Apr other = read("slabs.apr");
  EXPECT_EQ(other.main_field()->values, one.main_field()->values);
  EXPECT_EQ(other.history, one.history);
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
    EXPECT_EQ(entry.path().filename().string().find(".part"), std::string::npos) << entry.path();
  }
}

// Channels and time points follow each other, each within the memory, to the same one file.
TEST_F(SlabRun, SeriesAreTheSameFileInLessMemory) {
  std::vector<Apr> series;
  for (int i = 0; i < 3; ++i) {
    Apr apr = read("a.apr");
    apr.channel_index = i;
    apr.channel = "channel " + std::to_string(i);
    std::vector<float> values = apr.main_field()->to_float();
    for (float& v : values) v = v * 0.5F + static_cast<float>(10 * i);
    apr.fields = {std::make_shared<const Field>(Field{"particles", std::move(values)})};
    apr.tree_fields.clear();
    series.push_back(std::move(apr));
  }
  AprWriteOptions with_tree;
  with_tree.with_tree = true;
  ASSERT_TRUE(write_apr_series(series, path("series.apr"), with_tree));
  const std::vector<std::string> all{"--channels", "all", "--tree", "--device", "cpu"};
  filter("series.apr", "whole.apr", all);
  auto limited = all;
  limited.insert(limited.end(), {"--memory", "17MB"});
  const auto done = filter("series.apr", "slabs.apr", limited);
  ASSERT_EQ(done["parts"].size(), 3U);
  for (const auto& part : done["parts"]) EXPECT_GE(part.value("slabs", 0), 2) << done.dump();
  expect_same_bytes("slabs.apr", "whole.apr");
  // What fits is done in memory, to the same file.
  limited.back() = "2GB";
  const auto fits = filter("series.apr", "fits.apr", limited);
  EXPECT_FALSE(fits["parts"][0].contains("slabs"));
  expect_same_bytes("fits.apr", "whole.apr");
  // A recipe, too, of some of them.
  std::ofstream(path("one.json")) << R"({"aprscope": 2, "steps": [
    {"operation": "gaussian", "parameters": {"sigma": [1, 1, 1], "mode": "restricted"}}]})";
  run({"run", path("one.json"), path("series.apr"), "--channels", "1-2", "-o", path("some.apr"),
       "--device", "cpu"});
  const auto recipe = run({"run", path("one.json"), path("series.apr"), "--channels", "1-2", "-o",
                           path("less.apr"), "--memory", "17MB"});
  EXPECT_GE(recipe["parts"][0].value("slabs", 0), 2) << recipe.dump();
  expect_same_bytes("less.apr", "some.apr");
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
    EXPECT_EQ(entry.path().filename().string().find(".part"), std::string::npos) << entry.path();
  }
}

TEST_F(SlabRun, WhatCannotBeDoneIsOneSentence) {
  const auto fails = [&](const std::vector<std::string>& options, const std::string& says) {
    std::vector<std::string> arguments{"filter",    path("bare.apr"), "-o",      path("b.apr"),
                                       "--stencil", "box:size=3",     "--memory"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const auto done = run_cli(arguments);
    EXPECT_TRUE(done.one_line_error()) << done.err;
    EXPECT_NE(done.err.find(says), std::string::npos) << done.err;
    EXPECT_FALSE(std::filesystem::exists(path("b.apr")));
    return done.exit_code;
  };
  EXPECT_EQ(fails({"17MB", "--tree"}, "has no tree"), 1);
  EXPECT_EQ(fails({"1MB"}, "needs at least"), 1);
  EXPECT_EQ(fails({"much"}, "--memory"), 2);
  EXPECT_EQ(fails({"1MB", "--channels", "all"}, "(channel 0, time point 0)"), 1);
  const auto pixels = run_cli({"filter", path("a.tif"), "-o", path("b.apr"), "--stencil",
                               "box:size=3", "--memory", "17MB", "--channels", "all"});
  EXPECT_EQ(pixels.exit_code, 2);
  EXPECT_NE(pixels.err.find("from an .apr to an .apr"), std::string::npos) << pixels.err;
}

}  // namespace
}  // namespace aprscope::test
