// Several channels and time points in one OME-Zarr by the real program: the values of each are
// those that its channel and time point give by themselves.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "core/io/image_source.hpp"
#include "tests/app/cli/film_fixture.hpp"

namespace aprscope::test {
namespace {

class ZarrSeries : public Film {
 protected:
  [[nodiscard]] SourceInfo info_of(const std::string& name) {
    auto info = inspect(path(name));
    EXPECT_TRUE(info.ok()) << info.error().message();
    return info ? *std::move(info) : SourceInfo{};
  }
  Volume read(const std::string& name, SourceSelection selection = {}) {
    auto data = load(info_of(name), selection);
    EXPECT_TRUE(data.ok()) << data.error().message();
    return data ? std::get<Volume>(*std::move(data)) : Volume{};
  }
  // `alone` is a command without its output and selection.
  void expect_all_parts(const std::string& series, std::vector<std::string> alone) {
    alone.insert(alone.end(), {"-o", path("one.zarr"), "--channel", "", "--time", ""});
    for (int c = 0; c < kFilmChannels; ++c) {
      for (int t = 0; t < kFilmTimes; ++t) {
        SCOPED_TRACE(testing::Message() << "channel " << c << " time " << t);
        alone[alone.size() - 3] = std::to_string(c);
        alone.back() = std::to_string(t);
        run(alone);
        const Volume part = read(series, {c, t});
        const Volume one = read("one.zarr");
        EXPECT_EQ(part.to_float().values, one.to_float().values);
        EXPECT_EQ(part.voxel, one.voxel);
        EXPECT_STREQ(part.dtype(), one.dtype());
      }
    }
  }
  // Colours and windows as a file of OME-Zarr states them.
  void colour(const std::string& name) {
    std::ifstream file(path(name) + "/.zattrs");
    auto json = nlohmann::json::parse(file);
    auto& channels = json["omero"]["channels"];
    channels[0]["color"] = "00FF10";
    channels[1]["color"] = "FF0020";
    channels[1]["window"]["start"] = 90;
    channels[1]["window"]["end"] = 2500;
    std::ofstream(path(name) + "/.zattrs") << json;
  }
};

std::vector<std::string> with_all(std::vector<std::string> command) {
  command.insert(command.end(), {"--channels", "all", "--times", "all"});
  return command;
}

TEST_F(ZarrSeries, ConversionsFiltersAndRecipesWriteAllParts) {
  const auto done = run(with_all(
      {"convert", path("movie.tif"), "--voxel-size", "2,0.5,0.25", "-o", path("all.ome.zarr")}));
  ASSERT_EQ(done["parts"].size(), 6U);
  std::uint64_t sum = 0;
  for (const auto& part : done["parts"]) sum += part["particles"].get<std::uint64_t>();
  EXPECT_EQ(done["particles"], sum);
  const SourceInfo info = info_of("all.ome.zarr");
  EXPECT_EQ(info.format, "OME-Zarr 0.4");
  EXPECT_EQ(info.channels.size(), 2U);
  EXPECT_EQ(info.times, 3);
  EXPECT_EQ(info.voxel, (VoxelSize{2.0, 0.5, 0.25, "µm"}));
  expect_all_parts("all.ome.zarr", {"convert", path("movie.tif"), "--voxel-size", "2,0.5,0.25"});

  // Pixels are filtered as pixels.
  const auto smooth = run(with_all({"filter", path("movie.tif"), "--stencil", "gaussian:sigma=1",
                                    "--ome-zarr", "0.5", "-o", path("smooth.zarr")}));
  EXPECT_FALSE(smooth.contains("particles"));
  EXPECT_EQ(info_of("smooth.zarr").format, "OME-Zarr 0.5");
  expect_all_parts("smooth.zarr", {"filter", path("movie.tif"), "--stencil", "gaussian:sigma=1"});

  run({"filter", path("movie.tif"), "--stencil", "gaussian:sigma=1", "-o", path("recipe.json")});
  run(with_all({"run", path("recipe.json"), path("movie.tif"), "-o", path("replayed.zarr")}));
  expect_all_parts("replayed.zarr", {"filter", path("movie.tif"), "--stencil", "gaussian:sigma=1"});
}

TEST_F(ZarrSeries, ParticlesOfAFileBecomePixels) {
  run(with_all({"convert", path("movie.tif"), "-o", path("all.apr")}));
  run(with_all({"reconstruct", path("all.apr"), "-o", path("all.zarr")}));
  expect_all_parts("all.zarr", {"reconstruct", path("all.apr")});
  run(with_all({"reconstruct", path("all.apr"), "--mode", "smooth", "-o", path("smooth.zarr")}));
  expect_all_parts("smooth.zarr", {"reconstruct", path("all.apr"), "--mode", "smooth"});
  // What is streamed is the same.
  const auto streamed =
      run(with_all({"convert", path("movie.tif"), "--stream", "-o", path("streamed.zarr")}));
  EXPECT_EQ(streamed["streamed"], true);
  expect_all_parts("streamed.zarr", {"reconstruct", path("all.apr")});
}

TEST_F(ZarrSeries, ARangeIsPartOfThem) {
  run({"convert", path("movie.tif"), "--times", "1-2", "--channel", "1", "-o", path("part.zarr")});
  const SourceInfo info = info_of("part.zarr");
  EXPECT_EQ(info.channels.size(), 1U);
  EXPECT_EQ(info.times, 2);
  run({"convert", path("movie.tif"), "--time", "2", "--channel", "1", "-o", path("one.zarr")});
  EXPECT_EQ(read("part.zarr", {0, 1}).to_float().values, read("one.zarr").to_float().values);
}

// As long as values keep their meaning; a gradient has others.
TEST_F(ZarrSeries, ColoursAndWindowsOfTheFileAreKept) {
  run(with_all({"convert", path("movie.tif"), "-o", path("film.zarr")}));
  colour("film.zarr");
  run(with_all({"convert", path("film.zarr"), "-o", path("again.zarr")}));
  const auto hints = info_of("again.zarr").hints;
  EXPECT_EQ(hints, info_of("film.zarr").hints);
  ASSERT_EQ(hints.size(), 2U);
  EXPECT_EQ(hints[1].colour, (Rgb{255, 0, 32}));
  EXPECT_EQ(hints[1].window, (std::array<double, 2>{90.0, 2500.0}));
  run(with_all({"filter", path("film.zarr"), "--stencil", "gradient", "-o", path("edges.zarr")}));
  const auto edges = info_of("edges.zarr").hints;
  ASSERT_EQ(edges.size(), 2U);
  EXPECT_EQ(edges[1].colour, hints[1].colour);
  EXPECT_NE(edges[1].window, hints[1].window);
  run({"convert", path("film.zarr"), "--channels", "1-1", "-o", path("second.zarr")});
  EXPECT_EQ(info_of("second.zarr").hints, (std::vector<ChannelHint>{hints[1]}));
}

TEST_F(ZarrSeries, TheTimeStepIsKept) {
  write_movie("slow.tif", "finterval=2.5\n");
  EXPECT_EQ(run({"info", path("slow.tif")})["time_step_s"], 2.5);
  run({"convert", path("slow.tif"), "--times", "all", "-o", path("slow.zarr")});
  EXPECT_EQ(run({"info", path("slow.zarr")})["time_step_s"], 2.5);
  run({"convert", path("movie.tif"), "--times", "all", "-o", path("film.zarr")});
  EXPECT_FALSE(run({"info", path("film.zarr")}).contains("time_step_s"));
}

TEST_F(ZarrSeries, WhatCannotBeIsRefused) {
  const std::string out = path("out.zarr");
  expect_wrong({"convert", path("movie.tif"), "--times", "0-3", "-o", out}, "has 3 time points", 1);
  expect_wrong(with_all({"filter", path("movie.tif"), "--stencil", "box", "-o", path("out.tif")}),
               "ends in .apr or .zarr", 2);
  expect_wrong(with_all({"reconstruct", path("movie.tif"), "-o", path("out.tif")}), "ends in .zarr",
               2);
  // Pixels are not turned back.
  expect_wrong(with_all({"reconstruct", path("movie.tif"), "-o", out}), "(channel 0, time point 0)",
               1);
  std::ofstream(path("cells.json"))
      << R"({"aprscope": 2, "steps": [{"operation": "watershed", "parameters": {}}]})";
  expect_wrong(with_all({"run", path("cells.json"), path("movie.tif"), "-o", out}),
               "labels are not written as OME-Zarr", 1);
  EXPECT_FALSE(std::filesystem::exists(out));
}

}  // namespace
}  // namespace aprscope::test
