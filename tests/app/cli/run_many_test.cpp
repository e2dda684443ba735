// Shares of a batch, by the real program: parts, their merging, what is not done again.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "core/base/atomic_file.hpp"
#include "core/base/csv.hpp"
#include "tests/app/cli/chain_fixture.hpp"

namespace aprscope::test {
namespace {

namespace fs = std::filesystem;

class SharedRuns : public Chain {
 protected:
  SharedRuns() {
    for (const char* name : {"a.tif", "b, \"two\".tif", "c.tif", "x/a.tif"}) {
      fs::create_directories(fs::path(path(name)).parent_path());
      run({"synth", "spheres", "-o", path(name), "--size", name[0] == 'c' ? "32,48,40" : "16,24,20",
           "--seed", "3"});
      inputs_.push_back(path(name));
    }
    EXPECT_TRUE(write_text_atomically(path("bad.tif"), "no\nimage").ok());
    inputs_.push_back(path("bad.tif"));
    EXPECT_TRUE(write_text_atomically(path("r.json"),
                                      R"({"aprscope": 2, "steps": [{"operation": "statistics"},
                        {"operation": "box"}]})")
                    .ok());
  }
  std::vector<std::string> words(const std::vector<std::string>& more) {
    std::vector<std::string> all{"run", path("r.json")};
    all.insert(all.end(), inputs_.begin(), inputs_.end());
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  // Without what was measured of this run: seconds and peaks.
  static std::string plain(const std::string& table) {
    std::string text;
    for (const auto record : csv_records(table)) {
      const auto fields = csv_fields(record);
      for (const std::size_t i : {0U, 1U, 6U, 7U, 8U, 9U, 13U}) text += fields.at(i) + "|";
    }
    return text;
  }
  std::vector<std::string> inputs_;
};

TEST_F(SharedRuns, TogetherAreWhatOneRunIs) {
  const auto whole = run(words({"-o", path("out/"), "--csv", path("t.csv"), "--allow-failures"}));
  EXPECT_EQ(whole["failed"], 1);
  fs::rename(path("out"), path("whole"));
  fs::create_directory(path("out"));
  for (const char* part : {"1/3", "2/3", "3/3"}) {
    const auto done = run(
        words({"-o", path("out/"), "--csv", path("p.csv"), "--part", part, "--allow-failures"}));
    EXPECT_EQ(done["part"], part);
    EXPECT_FALSE(done["rows"].empty());
  }
  for (const char* name : {"a.tif", "b, \"two\".tif", "c.tif", "a-2.tif", "a-2-statistics.csv"}) {
    EXPECT_TRUE(bytes_of(path("out/") + name) == bytes_of(path("whole/") + name)) << name;
  }
  const auto merged = run({"batch", "merge", path("p.part3.csv"), path("p.part1.csv"),
                           path("p.part2.csv"), "-o", path("p.csv")});
  EXPECT_EQ(merged["table_rows"], 5);
  EXPECT_EQ(merged["failed"], 1);
  EXPECT_TRUE(merged["unfinished_parts"].empty());
  EXPECT_EQ(plain(bytes_of(path("p.csv"))), plain(bytes_of(path("t.csv"))));
  expect_same_bytes("out/statistics.csv", "whole/statistics.csv");
  expect_same_bytes("out/histogram.csv", "whole/histogram.csv");
  // A table of many files by itself.
  const auto alone = run_cli({"batch", "merge", path("out/statistics.part1.csv"),
                              path("out/statistics.part2.csv"), "-o", path("s.csv")});
  EXPECT_EQ(alone.exit_code, 1);
  EXPECT_TRUE(alone.one_line_error()) << alone.err;
  EXPECT_NE(alone.err.find("of 3 parts 3 is missing"), std::string::npos) << alone.err;
  EXPECT_FALSE(fs::exists(path("s.csv")));
}

TEST_F(SharedRuns, OnlyFilesMayFail) {
  const auto failed = run_cli(words({"-o", path("out/")}));
  EXPECT_EQ(failed.exit_code, 1);
  EXPECT_EQ(run_cli(words({"-o", path("out/"), "--allow-failures"})).exit_code, 0);
  EXPECT_EQ(run_cli(words({"-o", path("none/there/"), "--allow-failures"})).exit_code, 1);
}

TEST_F(SharedRuns, ATaskOfAnArrayKnowsItsPart) {
  EXPECT_EQ(run_cli(words({"-o", path("out/"), "--part", "slurm"})).exit_code, 2);
  const auto set = [](const char* name, const char* value) { ::setenv(name, value, 1); };
  set("SLURM_ARRAY_TASK_ID", "6");
  set("SLURM_ARRAY_TASK_MIN", "4");
  set("SLURM_ARRAY_TASK_STEP", "2");
  set("SLURM_ARRAY_TASK_COUNT", "3");
  EXPECT_EQ(run(words({"-o", path("out/"), "--part", "slurm", "--allow-failures"}))["part"], "2/3");
  set("SLURM_ARRAY_TASK_ID", "12");
  EXPECT_EQ(run_cli(words({"-o", path("out/"), "--part", "slurm"})).exit_code, 2);
  for (const char* name : {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_STEP",
                           "SLURM_ARRAY_TASK_COUNT"}) {
    ::unsetenv(name);
  }
  for (const char* wrong : {"0/3", "4/3", "x"}) {
    const auto done = run_cli(words({"-o", path("out/"), "--part", wrong}));
    EXPECT_EQ(done.exit_code, 2) << wrong;
    EXPECT_TRUE(done.one_line_error()) << done.err;
  }
}

TEST_F(SharedRuns, WhatIsDoneIsNotDoneAgain) {
  const std::vector<std::string> more{"-o",          path("out/"),       "--csv",
                                      path("t.csv"), "--allow-failures", "--skip-done"};
  const auto first = run(words(more));
  EXPECT_EQ(first["done_before"], 0);
  const std::string result = bytes_of(path("out/a.tif"));
  const std::string stacked = bytes_of(path("out/statistics.csv"));
  fs::remove(path("out/c.tif"));
  const auto again = run(words(more));
  EXPECT_EQ(again["done_before"], 3);
  EXPECT_EQ(again["rows"][0]["done_before"], true);
  EXPECT_EQ(again["rows"][2]["done_before"], false);
  EXPECT_EQ(again["failed"], 1);
  EXPECT_NE(bytes_of(path("t.csv")).find(",yes,\n"), std::string::npos);
  EXPECT_EQ(bytes_of(path("out/a.tif")), result);
  EXPECT_EQ(bytes_of(path("out/statistics.csv")), stacked);
  run(words({"-o", path("plain/"), "--allow-failures"}));
  expect_same_bytes("plain/c.tif", "out/c.tif");
}

// Of a thousand files: what a part costs before its first one.
TEST_F(SharedRuns, APartBeginsAtOnce) {
  fs::create_directory(path("many"));
  inputs_.clear();
  for (int i = 0; i < 1000; ++i) {
    inputs_.push_back(path("many/" + std::to_string(i) + ".tif"));
    fs::copy(path("a.tif"), inputs_.back());
  }
  const auto start = run({"run", path("r.json"), path("a.tif"), "-o", path("out/")});
  const auto part = run(words({"-o", path("out/"), "--part", "1000/1000"}));
  EXPECT_EQ(part["rows"].size(), 1U);
  const double more = part["seconds"]["run"].get<double>() - start["seconds"]["run"].get<double>();
  RecordProperty("seconds", std::to_string(more));
  // Most of it is waiting for the disk.
  EXPECT_LT(more, 0.5);
}

}  // namespace
}  // namespace aprscope::test
