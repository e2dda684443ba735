// Tiles become one image, by the real program.
#include <cmath>
#include <fstream>

#include <gtest/gtest.h>

#include "tests/app/cli/chain_fixture.hpp"

namespace aprscope::test {
namespace {

class StitchCommand : public Chain {
 protected:
  // Four tiles of one image, and a list that has them some pixels off.
  void make_tiles() {
    run({"synth", "spheres", "-o", path("whole.tif"), "--size", "24,120,140", "--noise", "5"});
    const char* const boxes[] = {"0:20,0:70,0:80", "2:22,0:70,60:140", "1:21,50:120,0:80",
                                 "3:23,50:120,60:140"};
    std::ofstream list(path("TileConfiguration.txt"));
    list << "dim = 3\n";
    const char* const said[] = {"(0, 0, 0)", "(57, 3, 0)", "(4, 48, 0)", "(62, 52, 1)"};
    for (int i = 0; i < 4; ++i) {
      const std::string name = "tile" + std::to_string(i) + ".tif";
      run({"crop", path("whole.tif"), "-o", path(name), "--region", boxes[i]});
      list << name << "; ; " << said[i] << "\n";
    }
  }
};

TEST_F(StitchCommand, FindsTheTilesAndTheImageIsThatOfTheSpecimen) {
  make_tiles();
  const auto report = run(
      {"stitch", path("TileConfiguration.txt"), "-o", path("registered.txt"), "--max-shift", "12"});
  ASSERT_EQ(report["tiles"].size(), 4U);
  EXPECT_EQ(report["pairs"].size(), 6U);
  EXPECT_GE(report["pairs_that_count"], 4);
  EXPECT_LT(report["off_rms"], 0.5);
  const double wanted[4][3] = {{0, 0, 0}, {2, 0, 60}, {1, 50, 0}, {3, 50, 60}};
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t d = 0; d < 3; ++d) {
      const double way =
          report["tiles"][i]["to"][d].get<double>() - report["tiles"][0]["to"][d].get<double>();
      EXPECT_NEAR(way, wanted[i][d], 0.35) << i << ' ' << d;
    }
  }
  // The list is an image to every command: its box where all lie is that of the specimen.
  run({"crop", path("registered.txt"), "-o", path("fused.tif"), "--region", "3:20,0:120,0:140"});
  run({"crop", path("whole.tif"), "-o", path("truth.tif"), "--region", "3:20,0:120,0:140"});
  EXPECT_EQ(run({"compare", path("fused.tif"), path("truth.tif")})["identical"], true);
  // Streamed or not, the particles are the same.
  run({"convert", path("registered.txt"), "-o", path("1.apr"), "--no-error-report"});
  run({"convert", path("registered.txt"), "-o", path("2.apr"), "--stream"});
  expect_same_bytes("1.apr", "2.apr");
}

TEST_F(StitchCommand, ListsTilesAsTheyLie) {
  make_tiles();
  // Files of boxes know where they lay.
  std::vector<std::string> arguments{"stitch", "--as-placed", "-o", path("placed.txt")};
  for (int i = 0; i < 4; ++i) arguments.push_back(path("tile" + std::to_string(i) + ".tif"));
  const auto report = run(arguments);
  EXPECT_EQ(report["pairs"].size(), 0U);
  const auto info = run({"info", path("placed.txt")});
  EXPECT_EQ(info["format"], "4 tiles, ImageJ TIFF");
}

}  // namespace
}  // namespace aprscope::test
