// aprscope-cli psf: what it says of a PSF, what it writes, how it fails.
#include <gtest/gtest.h>

#include "core/io/image_source.hpp"
#include "tests/app/cli/run_program.hpp"
#include "tests/support/paths.hpp"

namespace aprscope::test {
namespace {

class PsfCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto made = run_cli({"synth", "spheres", "-o", path("a.tif"), "--size", "24,48,64",
                               "--voxel-size", "0.2,0.1,0.1", "--quiet"});
    ASSERT_EQ(made.exit_code, 0) << made.err;
  }
  std::string path(const std::string& name) { return (folder_ / name).string(); }

  TemporaryFolder folder_;
};

TEST_F(PsfCommand, SaysWidthsCoverageAndWarnings) {
  const auto done = run_cli(
      {"psf", "gaussian:sigma=0.3,0.2,0.2,unit=physical", "--like", path("a.tif"), "--json"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  const auto json = done.json();
  EXPECT_EQ(json["size"], (nlohmann::json{{"z", 11}, {"x", 13}, {"y", 13}}));
  EXPECT_NEAR(json["fwhm"]["z"].get<double>(), 2.3548 * 0.3, 0.02);
  EXPECT_NEAR(json["fwhm"]["x"].get<double>(), 2.3548 * 0.2, 0.01);
  EXPECT_NEAR(json["fwhm_px"]["x"].get<double>(), 2.3548 * 2.0, 0.1);
  EXPECT_GT(json["coverage"].get<double>(), 0.97);
  EXPECT_LT(json["coverage"].get<double>(), 1.0);
  EXPECT_TRUE(json["warnings"].empty());
  const auto coarse = run_cli({"psf", "born-wolf:na=1.4,wavelength=500,n=1.518,size=5,9,9",
                               "--voxel-size", "0.5,0.2,0.2", "--json"});
  ASSERT_EQ(coarse.exit_code, 0) << coarse.err;
  EXPECT_EQ(coarse.json()["warnings"].size(), 1U);
}

TEST_F(PsfCommand, WhatItWritesIsAPsfAgain) {
  for (const char* name : {"psf.tif", "psf.json"}) {
    const auto done = run_cli(
        {"psf", "born-wolf:na=1.2,n=1.33", "--like", path("a.tif"), "-o", path(name), "--json"});
    ASSERT_EQ(done.exit_code, 0) << done.err;
  }
  const auto data = load_file(path("psf.tif"));
  ASSERT_TRUE(data) << data.error().message();
  const auto& volume = std::get<Volume>(*data);
  EXPECT_DOUBLE_EQ(volume.voxel.z, 0.2);
  const auto again = run_cli(
      {"psf", "file:" + path("psf.tif") + ",background=off", "--like", path("a.tif"), "--json"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(again.json()["size"]["x"], volume.size().x);
  EXPECT_NEAR(again.json()["sum"].get<double>(), 1.0, 1e-9);
}

TEST_F(PsfCommand, FailsWithOneSentence) {
  const auto wrong = [&](const std::vector<std::string>& arguments, int code,
                         const std::string& word) {
    const auto done = run_cli(arguments);
    EXPECT_EQ(done.exit_code, code) << arguments[1];
    EXPECT_TRUE(done.one_line_error()) << done.err;
    EXPECT_NE(done.err.find(word), std::string::npos) << done.err;
  };
  wrong({"psf", "airy:na=1"}, 2, "no kind of PSF");
  wrong({"psf", "gaussian:sigma=-1"}, 2, "psf_sigma");
  wrong({"psf", "gaussian:sigma=2", "-o", path("psf.png")}, 2, "psf.png");
  wrong({"psf", "born-wolf:na=1.4"}, 1, "voxel size");
  wrong({"psf", "file:" + path("none.tif"), "--like", path("a.tif")}, 1, "none.tif");
  wrong({"psf", "gaussian:sigma=2,size=31", "--like", path("a.tif")}, 1, "use 23 or less");
  wrong({"psf", "gaussian:sigma=2", "--like", path("none.tif")}, 1, "none.tif");
}

TEST_F(PsfCommand, NotANumberAnywhereIsRefused) {
  APRSCOPE_NEEDS_DATA();
  const auto done = run_cli({"psf", "file:" + (data_dir() / "tiff/all_nan_float.tif").string()});
  EXPECT_EQ(done.exit_code, 1);
  EXPECT_TRUE(done.one_line_error()) << done.err;
  EXPECT_NE(done.err.find("not finite"), std::string::npos) << done.err;
}

}  // namespace
}  // namespace aprscope::test
