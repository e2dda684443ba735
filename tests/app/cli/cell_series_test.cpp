// Cells of several time points by the real program.
#include <filesystem>

#include <gtest/gtest.h>

#include "core/base/atomic_file.hpp"
#include "core/io/label_read.hpp"
#include "tests/app/cli/chain_fixture.hpp"
#include "tests/core/io/tiff_maker.hpp"

namespace aprscope::test {
namespace {

constexpr Size3 kSize{2, 16, 24};

struct Box {
  std::int64_t x;
  std::int64_t y;
};

// Bright boxes of 5 × 6 pixels in both slices.
std::vector<std::uint16_t> slice(const std::vector<Box>& boxes) {
  std::vector<std::uint16_t> values(static_cast<std::size_t>(kSize.x * kSize.y), 10);
  for (const Box& box : boxes) {
    for (std::int64_t x = box.x; x < box.x + 5; ++x) {
      for (std::int64_t y = box.y; y < box.y + 6; ++y) {
        values[static_cast<std::size_t>(x * kSize.y + y)] = 900;
      }
    }
  }
  return values;
}

class CellSeries : public Chain {
 protected:
  // One moves down, a second one goes, a third one comes above them; then the second is back.
  void SetUp() override {
    const std::vector<std::vector<Box>> frames{
        {{6, 3}, {6, 14}}, {{7, 4}, {1, 12}}, {{9, 4}, {1, 12}, {8, 16}}};
    TiffMaker file(path("movie.tif"), "w");
    PageSpec page;
    page.cols = static_cast<std::uint32_t>(kSize.y);
    page.rows = static_cast<std::uint32_t>(kSize.x);
    for (std::size_t t = 0; t < frames.size(); ++t) {
      for (std::int64_t z = 0; z < kSize.z; ++z) {
        page.description =
            t == 0 && z == 0 ? "ImageJ=1.53t\nimages=6\nslices=2\nframes=3\nhyperstack=true\n" : "";
        file.add(page, slice(frames[t]));
      }
    }
  }
  static std::vector<std::string> found(std::vector<std::string> more) {
    more.insert(more.end(), {"--method", "fill", "--threshold", "500"});
    return more;
  }
  std::uint32_t label(const std::string& name, std::int64_t x, std::int64_t y) {
    const auto read = read_labels(path(name), kSize);
    EXPECT_TRUE(read.ok()) << read.error().message();
    return read.ok() ? read->values[static_cast<std::size_t>(x * kSize.y + y)] : 0;
  }
  void expect_wrong(const std::vector<std::string>& arguments, const std::string& words, int code) {
    const ProgramResult done = run_cli(arguments);
    EXPECT_EQ(done.exit_code, code) << done.out;
    EXPECT_NE(done.err.find(words), std::string::npos) << done.err;
  }
};

TEST_F(CellSeries, CellsKeepTheirNumbersOverTime) {
  const auto done = run(found({"cells", path("movie.tif"), "--times", "all", "--follow", "-o",
                               path("labels"), "--csv", path("t.csv")}));
  ASSERT_EQ(done["rows"].size(), 3U);
  EXPECT_EQ(done["rows"][0]["cells"], 2);
  EXPECT_EQ(done["rows"][1]["kept"], 1);
  EXPECT_EQ(done["rows"][1]["gone"], 1);
  EXPECT_EQ(done["rows"][2]["kept"], 2);
  EXPECT_EQ(done["rows"][2]["gone"], 0);
  EXPECT_EQ(label("labels/movie-t0-labels.tif", 8, 5), 1U);
  EXPECT_EQ(label("labels/movie-t0-labels.tif", 8, 16), 2U);
  EXPECT_EQ(label("labels/movie-t1-labels.tif", 9, 6), 1U);
  // It comes first in memory, and is new all the same.
  EXPECT_EQ(label("labels/movie-t1-labels.tif", 3, 14), 3U);
  EXPECT_EQ(label("labels/movie-t2-labels.tif", 11, 6), 1U);
  EXPECT_EQ(label("labels/movie-t2-labels.tif", 3, 14), 3U);
  // What was gone is another one when it comes back.
  EXPECT_EQ(label("labels/movie-t2-labels.tif", 10, 18), 4U);
  const auto table = read_text(path("t.csv"));
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(table->rfind("time,label,", 0), 0U) << *table;
  for (const char* row : {"\n0,1,", "\n0,2,", "\n1,1,", "\n1,3,", "\n2,1,", "\n2,3,", "\n2,4,"}) {
    EXPECT_NE(table->find(row), std::string::npos) << row << *table;
  }
}

TEST_F(CellSeries, AreThoseOfEachTimePointByItself) {
  run(found({"cells", path("movie.tif"), "--times", "1-2", "-o", path("labels")}));
  EXPECT_FALSE(std::filesystem::exists(path("labels/movie-t0-labels.tif")));
  for (const char* time : {"1", "2"}) {
    run(found({"cells", path("movie.tif"), "--time", time, "-o", path("one.tif")}));
    expect_same_bytes(std::string("labels/movie-t") + time + "-labels.tif", "one.tif");
  }
}

TEST_F(CellSeries, OfParticlesAreFollowedToo) {
  // Particles of one time point only: numbers are those of its pixels.
  run({"convert", path("movie.tif"), "--time", "2", "-o", path("late.apr")});
  const auto done = run(found({"cells", path("late.apr"), "--times", "all", "--follow", "-o",
                               path("labels"), "--csv", path("t.csv")}));
  EXPECT_EQ(done["rows"][0]["cells"], 3);
  EXPECT_TRUE(std::filesystem::exists(path("labels/late-t0.apr")));
}

TEST_F(CellSeries, WhatIsNoTimeIsRefused) {
  expect_wrong(found({"cells", path("movie.tif"), "--times", "0-3"}), "has 3 time points", 1);
  expect_wrong(found({"cells", path("movie.tif"), "--times", "2-1"}), "neither all", 2);
  expect_wrong(found({"cells", path("movie.tif"), "--times", "x"}), "neither all", 2);
  expect_wrong(found({"cells", path("movie.tif"), "--follow"}), "goes with --times", 2);
  expect_wrong(found({"cells", path("movie.tif"), "--times", "all", "-o", path("a.tif")}),
               "into a folder", 2);
  EXPECT_FALSE(std::filesystem::exists(path("a.tif")));
}

}  // namespace
}  // namespace aprscope::test
