#include "core/pipeline/done_results.hpp"

#include <chrono>
#include <fstream>

#include <gtest/gtest.h>

#include "core/base/atomic_file.hpp"
#include "core/base/build_id.hpp"
#include "core/io/image_source.hpp"
#include "core/io/write.hpp"
#include "tests/core/pipeline/data_builders.hpp"
#include "tests/support/paths.hpp"

namespace aprscope {
namespace {

namespace fs = std::filesystem;

class DoneResults : public ::testing::Test {
 protected:
  DoneResults() {
    fs::create_directory(folder_ / "out");
    image("a.tif", 12);
    image("b.tif", 13);
  }
  void image(const std::string& name, std::int64_t z) {
    EXPECT_TRUE(write_tiff(test::image_of({z, 16, 20}, test::rough), folder_ / name).ok());
  }
  std::vector<BatchRow> run(const std::vector<Operation>& steps, bool skip = true,
                            std::vector<std::string> names = {"a.tif", "b.tif"}, int channel = 0) {
    std::vector<std::string> inputs;
    for (const std::string& name : names) inputs.push_back((folder_ / name).string());
    BatchOptions options;
    options.output_folder = folder_ / "out";
    options.selection.channel = channel;
    options.keep_records = true;
    options.skip_done = skip;
    auto rows = run_batch({"", 0, 0, steps}, inputs, options, *cpu_backend());
    EXPECT_TRUE(rows.ok());
    stacked_ = write_stacked({"", 0, 0, steps}, inputs, *rows, options).ok();
    return *std::move(rows);
  }
  // "yn": which of them were done before.
  static std::string before(const std::vector<BatchRow>& rows) {
    std::string text;
    for (const BatchRow& row : rows) {
      EXPECT_EQ(row.error, "");
      text += row.done_before ? 'y' : 'n';
    }
    return text;
  }
  std::string bytes(const std::string& name) { return *read_text(folder_ / name); }

  test::TemporaryFolder folder_;
  bool stacked_ = false;
  const std::vector<Operation> box_{{"convert", {}}, {"box", {}}};
};

TEST_F(DoneResults, AreNotMadeAgainAndTheirRowsSayTheSame) {
  const auto first = run(box_);
  EXPECT_EQ(before(first), "nn");
  const std::string result = bytes("out/a.apr");
  const auto written = fs::last_write_time(folder_ / "out" / "a.apr");
  const auto again = run(box_);
  EXPECT_EQ(before(again), "yy");
  EXPECT_EQ(fs::last_write_time(folder_ / "out" / "a.apr"), written);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(again[i].output, first[i].output);
    EXPECT_EQ(again[i].particles, first[i].particles);
    EXPECT_EQ(again[i].computational_ratio, first[i].computational_ratio);
    EXPECT_EQ(again[i].bytes, first[i].bytes);
    EXPECT_EQ(again[i].file_bytes, first[i].file_bytes);
    EXPECT_TRUE(again[i].costs.empty());
    EXPECT_EQ(again[i].number, i + 1);
  }
  // Who does not ask for it computes, and gets the same bytes.
  EXPECT_EQ(before(run(box_, false)), "nn");
  EXPECT_EQ(bytes("out/a.apr"), result);
}

TEST_F(DoneResults, AnythingThatDecidesAResultMakesItAgain) {
  run(box_);
  EXPECT_EQ(before(run({{"convert", {}}, {"median", {}}})), "nn");
  EXPECT_EQ(before(run(box_)), "nn");
  EXPECT_EQ(before(run(box_)), "yy");
  // An input that changed: other bytes, or the same ones later.
  image("a.tif", 14);
  EXPECT_EQ(before(run(box_)), "ny");
  const auto time = fs::last_write_time(folder_ / "b.tif");
  fs::last_write_time(folder_ / "b.tif", time + std::chrono::seconds(3));
  EXPECT_EQ(before(run(box_)), "yn");
  // A result that somebody removed, cut off or wrote.
  fs::remove(folder_ / "out" / "a.apr");
  EXPECT_EQ(before(run(box_)), "ny");
  std::ofstream(folder_ / "out" / "b.apr", std::ios::app) << "x";
  EXPECT_EQ(before(run(box_)), "yn");
  fs::last_write_time(folder_ / "out" / "b.apr", time + std::chrono::hours(1));
  EXPECT_EQ(before(run(box_)), "yn");
  // A record that is damaged counts for nothing.
  ASSERT_TRUE(
      write_text_atomically(folder_ / "out" / ".done" / "a.json", "{\"made_from\": 3}").ok());
  EXPECT_EQ(before(run(box_)), "ny");
}

// As if another build of the program had left the record.
TEST_F(DoneResults, ResultsOfAnotherBuildAreMadeAgain) {
  run(box_);
  const fs::path record = folder_ / "out" / ".done" / "a.json";
  std::string text = *read_text(record);
  const auto at = text.find(build_id());
  ASSERT_NE(at, std::string::npos) << text;
  text[at] = text[at] == '0' ? '1' : '0';
  ASSERT_TRUE(write_text_atomically(record, text).ok());
  EXPECT_EQ(before(run(box_)), "ny");
}

TEST_F(DoneResults, AnotherInputOfThatNameIsAnother) {
  run(box_, true, {"a.tif"});
  fs::create_directory(folder_ / "other");
  const auto time = fs::last_write_time(folder_ / "a.tif");
  fs::copy(folder_ / "a.tif", folder_ / "other" / "a.tif");
  fs::last_write_time(folder_ / "other" / "a.tif", time);
  EXPECT_EQ(before(run(box_, true, {"other/a.tif"})), "n");
  EXPECT_EQ(before(run(box_, true, {"other/a.tif"})), "y");
}

TEST_F(DoneResults, FilesOfStepsCountToo) {
  image("reference.tif", 12);
  const std::vector<Operation> steps{
      {"compare", {{"reference", (folder_ / "reference.tif").string()}}}};
  EXPECT_EQ(before(run(steps, true, {"a.tif"})), "n");
  EXPECT_EQ(before(run(steps, true, {"a.tif"})), "y");
  ASSERT_TRUE(write_tiff(test::image_of({12, 16, 20},
                                        [](auto z, auto, auto) { return static_cast<double>(z); }),
                         folder_ / "reference.tif")
                  .ok());
  EXPECT_EQ(before(run(steps, true, {"a.tif"})), "n");
}

// Numbers in the place of the name of a file.
TEST_F(DoneResults, WhatIsNoFileIsNoneThatIsMissing) {
  std::string numbers = "0";
  for (int i = 1; i < 200; ++i) numbers += "," + std::to_string(i);
  for (const std::string& thresholds : {std::string("0:50:5"), numbers}) {
    const std::vector<Operation> steps{{"topology", {{"thresholds", thresholds}}}};
    EXPECT_EQ(before(run(steps, true, {"a.tif"})), "n");
    EXPECT_EQ(before(run(steps, true, {"a.tif"})), "y");
  }
}

TEST_F(DoneResults, AnotherKindOfDeviceIsAnotherOrigin) {
  const std::string input = (folder_ / "a.tif").string();
  const auto info = inspect(input);
  ASSERT_TRUE(info.ok());
  const auto origin = [&](const char* device) {
    return origin_of({"", 0, 0, box_}, input, *info, {}, device)->dump();
  };
  EXPECT_EQ(origin("cuda:0"), origin("cuda:1"));
  EXPECT_NE(origin("cuda:0"), origin("cpu"));
}

TEST_F(DoneResults, TablesOfManyFilesAreWholeAgain) {
  const std::vector<Operation> steps{{"statistics", {}}, {"box", {}}};
  EXPECT_EQ(before(run(steps)), "nn");
  const std::string whole = bytes("out/statistics.csv");
  EXPECT_EQ(std::count(whole.begin(), whole.end(), '\n'), 3);
  fs::remove(folder_ / "out" / "statistics.csv");
  fs::remove(folder_ / "out" / "b.tif");
  EXPECT_EQ(before(run(steps)), "yn");
  EXPECT_TRUE(stacked_);
  EXPECT_EQ(bytes("out/statistics.csv"), whole);
  // Somebody's own numbers in one of them.
  ASSERT_TRUE(write_text_atomically(folder_ / "out" / "a-statistics.csv", "mine").ok());
  EXPECT_EQ(before(run(steps)), "ny");
}

}  // namespace
}  // namespace aprscope
