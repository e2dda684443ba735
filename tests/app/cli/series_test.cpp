// Several channels and time points in one .apr by the real program.
#include <algorithm>
#include <filesystem>
#include <limits>

#include <gtest/gtest.h>

#include "core/io/image_source.hpp"
#include "tests/app/cli/film_fixture.hpp"

namespace aprscope::test {
namespace {

class Series : public Film {
 protected:
  Apr read(const std::string& name, SourceSelection selection = {}) {
    const auto info = inspect(path(name));
    EXPECT_TRUE(info.ok()) << info.error().message();
    auto data = load(*info, selection);
    EXPECT_TRUE(data.ok()) << data.error().message();
    return data ? std::get<Apr>(*std::move(data)) : Apr{};
  }
  // A part of a series is what its channel and time point give by themselves.
  void expect_part(const std::string& series, SourceSelection selection, const std::string& alone) {
    SCOPED_TRACE(testing::Message()
                 << "channel " << selection.channel << " time " << selection.time);
    const Apr part = read(series, selection);
    const Apr one = read(alone);
    ASSERT_TRUE(part.access && one.access);
    EXPECT_EQ(part.time, selection.time);
    EXPECT_EQ(part.channel_index, selection.channel);
    EXPECT_EQ(part.voxel.unit, one.voxel.unit);
    ASSERT_EQ(part.access->count(), one.access->count());
    EXPECT_TRUE(std::ranges::equal(part.access->particles().y(), one.access->particles().y()));
    EXPECT_TRUE(
        std::ranges::equal(part.access->particles().xz_end(), one.access->particles().xz_end()));
    ASSERT_TRUE(part.main_field() && one.main_field());
    EXPECT_EQ(part.main_field()->to_float(), one.main_field()->to_float());
  }
  void expect_all_parts(const std::string& series, std::vector<std::string> alone) {
    alone.insert(alone.end(), {"-o", path("one.apr"), "--channel", "", "--time", ""});
    for (int c = 0; c < kFilmChannels; ++c) {
      for (int t = 0; t < kFilmTimes; ++t) {
        alone[alone.size() - 3] = std::to_string(c);
        alone.back() = std::to_string(t);
        run(alone);
        expect_part(series, {c, t}, "one.apr");
      }
    }
  }
};

TEST_F(Series, ConvertsAllChannelsAndTimePoints) {
  const auto done = run(
      {"convert", path("movie.tif"), "--channels", "all", "--times", "all", "-o", path("all.apr")});
  ASSERT_EQ(done["parts"].size(), 6U);
  std::uint64_t sum = 0;
  for (const auto& part : done["parts"]) sum += part["particles"].get<std::uint64_t>();
  EXPECT_EQ(done["particles"], sum);
  const auto info = run({"info", path("all.apr")});
  EXPECT_EQ(info["channels"].size(), 2U);
  EXPECT_EQ(info["times"], 3);
  expect_all_parts("all.apr", {"convert", path("movie.tif")});
  // Streamed it is the same file.
  const auto streamed = run({"convert", path("movie.tif"), "--channels", "all", "--times", "all",
                             "--stream", "-o", path("streamed.apr")});
  EXPECT_EQ(streamed["streamed"], true);
  EXPECT_EQ(streamed["parts"], done["parts"]);
  EXPECT_EQ(bytes_of(path("streamed.apr")), bytes_of(path("all.apr")));
  expect_all_parts("streamed.apr", {"convert", path("movie.tif")});
}

TEST_F(Series, ARangeIsPartOfThem) {
  const auto done = run({"convert", path("movie.tif"), "--times", "1-2", "--channel", "1",
                         "--voxel-size", "2,1,1", "-o", path("part.apr")});
  ASSERT_EQ(done["parts"].size(), 2U);
  EXPECT_EQ(done["parts"][0]["channel"], 1);
  EXPECT_EQ(done["parts"][0]["time"], 1);
  EXPECT_EQ(done["parts"][1]["time"], 2);
  // Counted from 0 in each file.
  const Apr last = read("part.apr", {0, 1});
  EXPECT_EQ(last.voxel.z, 2.0);
  EXPECT_EQ(last.time, 2);
}

TEST_F(Series, FiltersAndRecipesTakeThemToo) {
  run({"convert", path("movie.tif"), "--channels", "all", "--times", "all", "-o", path("all.apr")});
  run({"filter", path("all.apr"), "--stencil", "gaussian:sigma=1", "--channels", "all", "--times",
       "all", "-o", path("smooth.apr")});
  expect_all_parts("smooth.apr", {"filter", path("all.apr"), "--stencil", "gaussian:sigma=1"});
  run({"filter", path("all.apr"), "--stencil", "gaussian:sigma=1", "-o", path("recipe.json")});
  run({"run", path("recipe.json"), path("all.apr"), "--channels", "all", "--times", "all", "-o",
       path("replayed.apr")});
  EXPECT_EQ(bytes_of(path("replayed.apr")), bytes_of(path("smooth.apr")));
}

TEST_F(Series, WhatCannotBeIsRefused) {
  const std::string out = path("out.apr");
  expect_wrong({"convert", path("movie.tif"), "--times", "0-3", "-o", out}, "has 3 time points", 1);
  expect_wrong({"convert", path("movie.tif"), "--channels", "1-2", "-o", out}, "has 2 channels", 1);
  expect_wrong({"convert", path("movie.tif"), "--times", "2-1", "-o", out}, "neither all", 2);
  expect_wrong({"convert", path("movie.tif"), "--times", "all", "--time", "1", "-o", out},
               "leave it out beside --times", 2);
  expect_wrong({"convert", path("movie.tif"), "--times", "all", "-o", path("out.json")},
               "ends in .apr", 2);
  expect_wrong({"filter", path("movie.tif"), "--stencil", "box:size=3", "--channels", "all", "-o",
                path("out.tif")},
               "ends in .apr", 2);
  run({"statistics", path("movie.tif"), "-o", path("measure.json")});
  expect_wrong({"run", path("measure.json"), path("movie.tif"), "--times", "all", "-o", out},
               "steps that measure", 1);
  // A filter of pixels gives pixels.
  expect_wrong(
      {"filter", path("movie.tif"), "--stencil", "box:size=3", "--channels", "all", "-o", out},
      "not particles", 1);
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST_F(Series, OnePartThatFailsIsNamedAndNothingIsLost) {
  run({"convert", path("movie.tif"), "-o", path("kept.apr")});
  const std::string before = bytes_of(path("kept.apr"));
  run({"convert", path("movie.tif"), "--times", "0-1", "-o", path("two.apr")});
  // NaN in the second part alone.
  {
    TiffMaker file(path("bad.tif"), "w");
    PageSpec page;
    page.cols = 8;
    page.rows = 8;
    page.bits = 32;
    page.format = SAMPLEFORMAT_IEEEFP;
    std::vector<float> values(64, 1.0F);
    for (int t = 0; t < 2; ++t) {
      for (int z = 0; z < 2; ++z) {
        page.description = t + z == 0 ? "ImageJ=1.53t\nimages=4\nslices=2\nframes=2\n" : "";
        if (t == 1 && z == 1) values[5] = std::numeric_limits<float>::quiet_NaN();
        file.add(page, values);
      }
    }
  }
  expect_wrong({"convert", path("bad.tif"), "--times", "all", "-o", path("kept.apr")},
               "(channel 0, time point 1)", 1);
  EXPECT_EQ(bytes_of(path("kept.apr")), before);
}

}  // namespace
}  // namespace aprscope::test
