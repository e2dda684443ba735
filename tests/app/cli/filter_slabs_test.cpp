// Filters of an .apr that memory has no room for, by the real program.
#include <gtest/gtest.h>

#include "core/io/image_source.hpp"
#include "tests/app/cli/chain_fixture.hpp"

namespace aprscope::test {
namespace {

class FilterSlabs : public Chain {
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

TEST_F(FilterSlabs, AreTheSameDataInLessMemory) {
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
  // Where it fits it is done in memory.
  EXPECT_FALSE(filter("a.apr", "fits.apr", {"--memory", "2GB"}).contains("slabs"));
}

TEST_F(FilterSlabs, WhatCannotBeDoneIsOneSentence) {
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
}

}  // namespace
}  // namespace aprscope::test
