// Imaris files as inputs of commands.
#include <gtest/gtest.h>

#include "core/io/image_source.hpp"
#include "tests/app/cli/run_program.hpp"
#include "tests/core/io/imaris/imaris_maker.hpp"
#include "tests/core/io/imaris/imaris_values.hpp"
#include "tests/support/paths.hpp"

namespace aprscope::test {
namespace {

class ImarisCli : public ::testing::Test {
 protected:
  ImarisCli() {
    ImarisMaker maker;
    maker.levels = {{{20, 30, 41}, {24, 32, 64}}, {{20, 15, 20}, {24, 16, 32}}};
    maker.channels = {0, 1};
    maker.times = {0, 1};
    maker.stored = [](hid_t list) {
      const hsize_t chunk[] = {8, 16, 32};
      H5Pset_chunk(list, 3, chunk);
      H5Pset_deflate(list, 2);
    };
    maker.write(path("a.ims"));
  }
  std::string path(const std::string& name) { return (folder_ / name).string(); }
  static ProgramResult must_run(const std::vector<std::string>& command) {
    auto done = run_cli(command);
    EXPECT_EQ(done.exit_code, 0) << done.err;
    return done;
  }
  Volume pixels_of(const std::string& name) {
    auto data = load_file(path(name));
    EXPECT_TRUE(data.ok()) << (data ? "" : data.error().message());
    return data && std::holds_alternative<Volume>(*data) ? std::get<Volume>(*std::move(data))
                                                         : Volume{};
  }
  TemporaryFolder folder_;
};

TEST_F(ImarisCli, InfoTellsTheImage) {
  const auto told = must_run({"info", path("a.ims")});
  for (const char* words : {"Imaris", "20", "30", "41", "stain 0", "stain 1", "u16"}) {
    EXPECT_NE(told.out.find(words), std::string::npos) << words << "\n" << told.out;
  }
  const auto json = must_run({"info", path("a.ims"), "--json"}).json();
  ASSERT_TRUE(json.is_object());
  EXPECT_EQ(json["format"], "Imaris");
  EXPECT_EQ(json["channels"], (std::vector<std::string>{"stain 0", "stain 1"})) << json.dump(1);
  EXPECT_EQ(json["times"], 2);
}

// Each channel and time point, whole and by streaming, to the same particles.
TEST_F(ImarisCli, ConversionsTakeWhatIsChosen) {
  for (int channel = 0; channel < 2; ++channel) {
    for (int time = 0; time < 2; ++time) {
      const auto convert = [&](const std::string& output, const std::string& how) {
        must_run({"convert", path("a.ims"), "-o", path(output), "--channel",
                  std::to_string(channel), "--time", std::to_string(time), "--force", how});
      };
      convert("whole.apr", "--quiet");
      convert("streamed.apr", "--stream");
      const auto same = must_run({"compare", path("whole.apr"), path("streamed.apr"), "--json"});
      EXPECT_NE(same.out.find("\"identical\": true"), std::string::npos) << same.out;
      EXPECT_EQ(must_run({"info", path("streamed.apr"), "--json"}).json()["voxel_size"],
                must_run({"info", path("a.ims"), "--json"}).json()["voxel_size"]);
      must_run({"reconstruct", path("streamed.apr"), "-o", path("back.tif"), "--force"});
      const Volume back = pixels_of("back.tif");
      ASSERT_EQ(back.size(), (Size3{20, 30, 41}));
      // Values of one image are within 2100; those of two are 10000 apart, and padding more.
      const double first = ImarisMaker::value(0, time, channel, 0, 0, 0);
      for (std::int64_t i = 0; i < back.size().count(); ++i) {
        const Index3 at{i / (30 * 41), i / 41 % 30, i % 41};
        ASSERT_GE(back.value(at), first - 100);
        ASSERT_LE(back.value(at), first + 2200);
      }
    }
  }
}

TEST_F(ImarisCli, FiltersSeeTheImageWithoutItsPadding) {
  must_run({"filter", path("a.ims"), "-o", path("b.tif"), "--stencil", "identity", "--channel", "1",
            "--time", "1"});
  const Volume filtered = pixels_of("b.tif");
  expect_imaris_values(filtered, {20, 30, 41}, 0, 1, 1);
  EXPECT_EQ(filtered.voxel, (VoxelSize{2.0, 0.5, 0.25, "µm"}));
  must_run({"filter", path("a.ims") + ":/1", "-o", path("c.tif"), "--stencil", "identity"});
  expect_imaris_values(pixels_of("c.tif"), {20, 15, 20}, 1, 0, 0);
}

TEST_F(ImarisCli, WhatIsNotThereIsOneSentence) {
  for (const auto& [command, words] :
       {std::pair<std::vector<std::string>, std::string>{{"info", path("a.ims") + ":/7"},
                                                         "has no level 7"},
        {{"convert", path("a.ims"), "-o", path("a.apr"), "--channel", "2"}, "channel"},
        {{"convert", path("a.ims"), "-o", path("a.apr"), "--time", "2"}, "time"}}) {
    const auto done = run_cli(command);
    EXPECT_EQ(done.exit_code, 1) << done.err;
    EXPECT_TRUE(done.one_line_error()) << done.err;
    EXPECT_NE(done.err.find(words), std::string::npos) << done.err;
  }
}

}  // namespace
}  // namespace aprscope::test
