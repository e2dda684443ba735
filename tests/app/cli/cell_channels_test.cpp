// Cells by the real program: other channels, seeds from files, lengths in pixels.
#include <algorithm>

#include <gtest/gtest.h>

#include "core/base/atomic_file.hpp"
#include "core/io/label_read.hpp"
#include "core/io/write.hpp"
#include "tests/app/cli/chain_fixture.hpp"
#include "tests/core/io/tiff_maker.hpp"

namespace aprscope::test {
namespace {

constexpr Size3 kSize{4, 12, 20};
constexpr std::uint32_t kBase[3] = {100, 3000, 40};

// Two rooms along y with a wall at 10, 1000 brighter in the first channel.
std::vector<std::uint16_t> slice(int channel) {
  std::vector<std::uint16_t> values;
  for (std::int64_t x = 0; x < kSize.x; ++x) {
    for (std::int64_t y = 0; y < kSize.y; ++y) {
      const std::uint32_t wall = channel == 0 && y == 10 ? 1000 : 0;
      const std::uint32_t side = channel > 0 && y > 10 ? 7 : 0;
      values.push_back(static_cast<std::uint16_t>(kBase[channel] + wall + side));
    }
  }
  return values;
}

class CellChannelsCommand : public Chain {
 protected:
  void SetUp() override {
    TiffMaker file(path("three.tif"), "w");
    PageSpec page;
    page.cols = static_cast<std::uint32_t>(kSize.y);
    page.rows = static_cast<std::uint32_t>(kSize.x);
    for (std::int64_t z = 0; z < kSize.z; ++z) {
      for (int channel = 0; channel < 3; ++channel) {
        page.description = z == 0 && channel == 0
                               ? "ImageJ=1.53t\nimages=12\nchannels=3\nslices=4\nhyperstack=true\n"
                               : "";
        file.add(page, slice(channel));
      }
    }
  }
  static std::vector<std::string> found(std::vector<std::string> more) {
    more.insert(more.end(), {"--smooth", "0", "--depth", "50", "--merge", "0"});
    return more;
  }
  // The cell of a table below the head of a column.
  std::string cell(const std::string& file, const std::string& head, std::size_t row) {
    const auto text = read_text(path(file));
    EXPECT_TRUE(text.ok());
    std::vector<std::vector<std::string>> rows(1);
    std::string word;
    for (const char c : *text) {
      if (c == ',' || c == '\n') rows.back().push_back(std::exchange(word, {}));
      if (c == '\n') rows.emplace_back();
      if (c != ',' && c != '\n') word += c;
    }
    const auto& heads = rows.front();
    const auto at = std::find(heads.begin(), heads.end(), head);
    if (at == heads.end()) {
      ADD_FAILURE() << "no column " << head << " in " << *text;
      return {};
    }
    return rows.at(row + 1).at(static_cast<std::size_t>(at - heads.begin()));
  }
  void expect_refused(const std::vector<std::string>& arguments, int code,
                      const std::string& words) {
    const ProgramResult done = run_cli(arguments);
    EXPECT_EQ(done.exit_code, code) << done.out;
    EXPECT_NE(done.err.find(words), std::string::npos) << done.err;
  }
};

TEST_F(CellChannelsCommand, AllChannelsOfAFileAreMeasured) {
  run(found(
      {"cells", path("three.tif"), "--all-channels", "--csv", path("t.csv"), "-o", path("l.tif")}));
  for (const auto& [channel, row, mean] :
       {std::tuple{"1", 0, "3000"}, {"1", 1, "3007"}, {"2", 0, "40"}}) {
    EXPECT_EQ(
        cell("t.csv", std::string("maximum_channel_") + channel, static_cast<std::size_t>(row)),
        mean);
  }
  EXPECT_EQ(cell("t.csv", "minimum_channel_0", 0), "100");
  // The same labels from a file, of which only the channels are known; and from another channel on.
  run({"cells", "--labels", path("l.tif"), "--channels", path("three.tif"), "--csv",
       path("u.csv")});
  EXPECT_TRUE(bytes_of(path("t.csv")) == bytes_of(path("u.csv")));
  run({"cells", "--labels", path("l.tif"), path("three.tif"), "--channel", "2", "--channels",
       path("three.tif"), "--csv", path("v.csv")});
  EXPECT_EQ(cell("v.csv", "mean_channel_2", 1), cell("u.csv", "mean_channel_2", 1));
  EXPECT_EQ(cell("v.csv", "mean_channel_0", 1), cell("u.csv", "mean_channel_0", 1));
  // A recipe names no file, so that it measures the channels of what it is run on.
  run(found({"cells", path("three.tif"), "--all-channels", "-o", path("r.json")}));
  run({"run", path("r.json"), path("three.tif"), "-o", path("again.tif")});
  expect_same_bytes("l.tif", "again.tif");
  EXPECT_NE(read_text(path("r.json"))->find("\"channels\": \"input\""), std::string::npos);
  run({"run", path("r.json"), path("three.tif"), "-o", path("again.csv")});
  EXPECT_EQ(cell("again-cells.csv", "maximum_channel_1", 1), "3007");
  // Of several files each with its own, in one table.
  std::filesystem::copy_file(path("three.tif"), path("more.tif"));
  run(found(
      {"cells", path("three.tif"), path("more.tif"), "--all-channels", "--csv", path("all.csv")}));
  EXPECT_EQ(cell("all.csv", "maximum_channel_1", 3), "3007");
  expect_refused(found({"cells", path("three.tif"), path("more.tif"), "--channels",
                        path("three.tif"), "--csv", path("x.csv")}),
                 2, "--channels");
  expect_refused(found({"cells", path("three.tif"), "--channels", path("none.tif")}), 1,
                 "none.tif");
  // A table does not replace what it is made from.
  expect_refused({"cells", "--labels", path("l.tif"), path("three.tif"), "--channels",
                  path("more.tif"), "-o", path("more.tif")},
                 1, "replaced");
}

TEST_F(CellChannelsCommand, SeedsComeFromFilesOrPoints) {
  const std::vector<std::string> first{"cells", path("three.tif"), "--method", "seeds"};
  const auto seeded = [&](const std::string& seeds, const std::string& output) {
    std::vector<std::string> all = first;
    all.insert(all.end(), {"--seeds", seeds, "--smooth", "0", "-o", path(output)});
    EXPECT_EQ(run(all)["cells"], 2) << seeds;
  };
  seeded("1,5,15; 1,5,3", "points.tif");
  ASSERT_TRUE(write_text_atomically(path("p.csv"), "y,x,z\n15,5,1\n3,5,1\n").ok());
  seeded(path("p.csv"), "table.tif");
  expect_same_bytes("points.tif", "table.tif");
  Labels labels;
  labels.values.assign(static_cast<std::size_t>(kSize.count()), 0);
  labels.values[(1 * 12 + 5) * 20 + 15] = 1;
  labels.values[(1 * 12 + 5) * 20 + 3] = 2;
  labels.largest = 2;
  ASSERT_TRUE(write_labels(labels, {kSize, {}}, path("s.tif")).ok());
  seeded(path("s.tif"), "labels.tif");
  expect_same_bytes("points.tif", "labels.tif");
  std::vector<std::string> missing = first;
  missing.insert(missing.end(), {"--seeds", path("none.tif")});
  expect_refused(missing, 1, "none.tif");
  // What can be no name is a point that was mistyped.
  missing.back() = "1,5,15; 20,20";
  expect_refused(missing, 2, "\"20,20\" is no point");
}

TEST_F(CellChannelsCommand, LengthsInPixelsAreThoseOfTheFinestOne) {
  Volume volume;
  Pixels<std::uint16_t> pixels(Size3{8, 20, 20}, 100);
  // Lone blobs of 3, 4 and 5 voxels.
  for (std::int64_t y = 0; y < 3; ++y) pixels.at(2, 3, 2 + y) = 900;
  for (std::int64_t y = 0; y < 4; ++y) pixels.at(4, 9, 2 + y) = 900;
  for (std::int64_t y = 0; y < 5; ++y) pixels.at(6, 15, 2 + y) = 900;
  volume.pixels = std::move(pixels);
  volume.voxel = {0.7, 0.3, 0.1, "µm"};
  ASSERT_TRUE(write_tiff(volume, path("b.tif")).ok());
  const auto cells = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all{"cells", path("b.tif"), "--method", "label", "--threshold", "500"};
    all.insert(all.end(), more.begin(), more.end());
    return run(all)["cells"];
  };
  EXPECT_EQ(cells({}), 3);
  EXPECT_EQ(cells({"--min-volume", "4", "--unit", "px"}), 2);
  EXPECT_EQ(cells({"--min-volume", "5", "--unit", "px"}), 1);
  EXPECT_EQ(cells({"--min-volume", "0.021", "--unit", "voxel"}), 3);
  // Two pixels are 0.2 µm, whatever the direction; automatic values stay.
  const auto steps =
      run({"cells", path("b.tif"), "--smooth", "2", "--depth", "50", "--unit", "px"});
  EXPECT_NE(steps["steps"][0].get<std::string>().find("smooth=0.2 "), std::string::npos)
      << steps["steps"][0];
  const auto micro = run({"cells", path("b.tif"), "--smooth", "0.2", "--depth", "50"});
  EXPECT_EQ(steps["steps"], micro["steps"]);
  const auto automatic = run({"cells", path("b.tif"), "--unit", "px"});
  EXPECT_EQ(automatic["steps"], run({"cells", path("b.tif")})["steps"]);
  expect_refused({"cells", path("b.tif"), "--unit", "mm"}, 2, "--unit");
  // Water that rises in distances has heights that are lengths.
  const std::vector<std::string> necks{"cells",       path("b.tif"), "--method", "distance",
                                       "--threshold", "500",         "--depth"};
  const auto parted = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = necks;
    all.insert(all.end(), more.begin(), more.end());
    return run(all)["steps"];
  };
  EXPECT_EQ(parted({"2", "--merge", "1", "--unit", "px"}), parted({"0.2", "--merge", "0.1"}));
}

TEST_F(CellChannelsCommand, VolumesOfASliceAreAreasInAllSteps) {
  Volume volume;
  Pixels<std::uint16_t> pixels(Size3{1, 20, 20}, 100);
  for (std::int64_t y = 0; y < 3; ++y) pixels.at(0, 3, 2 + y) = 900;
  for (std::int64_t y = 0; y < 4; ++y) pixels.at(0, 9, 2 + y) = 900;
  volume.pixels = std::move(pixels);
  volume.voxel = {2.0, 0.5, 0.5, "µm"};
  ASSERT_TRUE(write_tiff(volume, path("flat.tif")).ok());
  const std::vector<std::string> label{
      "cells", path("flat.tif"), "--method", "label",  "--threshold",
      "500",   "--min-volume",   "4",        "--unit", "px"};
  EXPECT_EQ(run(label)["cells"], 1);
  run({"cells", path("flat.tif"), "--method", "label", "--threshold", "500", "-o",
       path("flat_l.tif")});
  EXPECT_EQ(run({"cells", path("flat.tif"), "--labels", path("flat_l.tif"), "--min-volume", "4",
                 "--unit", "px"})["cells"],
            1);
}

}  // namespace
}  // namespace aprscope::test
