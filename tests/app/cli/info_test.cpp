// What info tells of files: what they say of themselves.
#include <fstream>

#include <gtest/gtest.h>
#include <tiffio.h>

#include "tests/app/cli/bad_files.hpp"
#include "tests/app/cli/run_program.hpp"
#include "tests/support/paths.hpp"

namespace aprscope::test {
namespace {

class InfoCli : public ::testing::Test {
 protected:
  std::string path(const std::string& name) { return (folder_ / name).string(); }

  // A page of 8 × 8 pixels with a description.
  std::string described(const std::string& description) {
    std::string file = path("a.tif");
    TIFF* const tiff = TIFFOpen(file.c_str(), "w");
    for (const auto& [tag, value] : {std::pair{TIFFTAG_IMAGEWIDTH, 8},
                                     {TIFFTAG_IMAGELENGTH, 8},
                                     {TIFFTAG_BITSPERSAMPLE, 8},
                                     {TIFFTAG_SAMPLESPERPIXEL, 1},
                                     {TIFFTAG_ROWSPERSTRIP, 8},
                                     {TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK}}) {
      TIFFSetField(tiff, static_cast<std::uint32_t>(tag), value);
    }
    TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, description.c_str());
    std::string row(8, 'a');
    for (std::uint32_t y = 0; y < 8; ++y) TIFFWriteScanline(tiff, row.data(), y, 0);
    TIFFClose(tiff);
    return file;
  }
  TemporaryFolder folder_;
};

TEST_F(InfoCli, MetadataAreWhatTheFileSays) {
  const std::string file = described("{\"stage\": {\"x\": 0.50}, \"name\": \"µ\\u0007\x1b[2J\"}");
  const auto told = run_cli({"info", "--metadata", file, "--json"});
  ASSERT_EQ(told.exit_code, 0) << told.err;
  const auto json = told.json();
  EXPECT_EQ(json.at("path"), file);
  ASSERT_EQ(json.at("metadata").size(), 1U);
  const auto& part = json.at("metadata")[0];
  EXPECT_EQ(part.at("title"), "ImageDescription");
  EXPECT_EQ(part.at("cut"), false);
  // A control character makes it no JSON; it is told, and does nothing.
  EXPECT_NE(part.at("text").get<std::string>().find("\\x1b[2J"), std::string::npos);
  const auto text = run_cli({"info", "--metadata", described("{\"stage\": {\"x\": 0.50}}")});
  ASSERT_EQ(text.exit_code, 0) << text.err;
  EXPECT_NE(text.out.find("\n== ImageDescription ==\n{\n  \"stage\": {\"x\": 0.50}\n}\n"),
            std::string::npos)
      << text.out;
  // Without the option, as ever.
  const auto plain = run_cli({"info", file, "--json"});
  EXPECT_FALSE(plain.json().contains("metadata"));
  EXPECT_TRUE(plain.json().contains("size"));
}

TEST_F(InfoCli, NoMetadataAndNoFile) {
  make_good_tiff(path("good.tif"));
  const auto apr = run_cli({"convert", path("good.tif"), "-o", path("a.apr")});
  ASSERT_EQ(apr.exit_code, 0) << apr.err;
  const auto none = run_cli({"info", "--metadata", path("a.apr")});
  EXPECT_EQ(none.exit_code, 0) << none.err;
  EXPECT_NE(none.out.find("metadata: none"), std::string::npos) << none.out;
  const auto missing = run_cli({"info", "--metadata", path("missing.tif")});
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_TRUE(missing.one_line_error()) << missing.err;
}

TEST_F(InfoCli, ArchivesAreToldByName) {
  std::ofstream(path("a.zarr.zip")) << "PK\3\4" + std::string(60, '\0');
  const auto told = run_cli({"info", path("a.zarr.zip")});
  EXPECT_EQ(told.exit_code, 1);
  EXPECT_TRUE(told.one_line_error()) << told.err;
  EXPECT_NE(told.err.find("is a ZIP archive"), std::string::npos) << told.err;
}

}  // namespace
}  // namespace aprscope::test
