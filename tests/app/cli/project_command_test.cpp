// Sets of projections by the real program: images of a map, and their tables.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "core/base/atomic_file.hpp"
#include "tests/app/cli/backproject_fixture.hpp"

namespace aprscope::test {
namespace {

using Json = nlohmann::json;

TEST_F(BackprojectCommand, TheTableIsToldAndTurnedIntoNumbers) {
  make({.images = 30, .defocus = true});
  const Json told = run({"info", path("molecule.star")});
  EXPECT_EQ(told["images"], 30);
  EXPECT_EQ(told["ctf"], true);
  EXPECT_EQ(told["halves"]["1"], 15);
  const Json rows = run({"projections", path("molecule.star"), "-o", path("rows.csv")});
  EXPECT_FALSE(rows["measured"][0]["tables"].empty());
  bool told_rows = false;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
    const auto text = read_text(entry.path());
    told_rows = told_rows || (text.ok() && entry.path().extension() == ".csv" &&
                              text->find("image,rot (°),tilt (°),psi (°)") != std::string::npos);
  }
  EXPECT_TRUE(told_rows);
}

TEST_F(BackprojectCommand, ProjectionsOfAMapGiveTheMapAgain) {
  make();
  run({"backproject", path("molecule.star"), "-o", path("map.mrc")});
  run({"project", path("map.mrc"), "-o", path("views.mrcs"), "--images", "300", "--seed", "4"});
  const Json told = run({"info", path("views.star")});
  EXPECT_EQ(told["images"], 300);
  EXPECT_EQ(told["side"], 32);
  run({"backproject", path("views.star"), "-o", path("again.mrc")});
  EXPECT_GT(correlation_of(pixels("again.mrc"), pixels("map.mrc")), 0.97);
  // Along the orientations of another table.
  run({"project", path("map.mrc"), "--angles", path("molecule.star"), "-o", path("same.mrcs")});
  const auto first = pixels("same.mrcs");
  const auto recorded = pixels("molecule.mrcs");
  EXPECT_GT(correlation_of(first, recorded), 0.97);
}

TEST_F(BackprojectCommand, ShiftsInPixelsStayPixelsWithATypedSize) {
  make({.images = 10});
  // RELION's optics groups with origins in pixels: two tables that say the same.
  const auto table = [&](const char* x, const char* y, double shift) {
    std::string text =
        "data_optics\nloop_\n_rlnOpticsGroup\n_rlnImagePixelSize\n_rlnImageSize\n1 2 32\n"
        "data_particles\nloop_\n_rlnImageName\n_rlnOpticsGroup\n_rlnAngleRot\n"
        "_rlnAngleTilt\n_rlnAnglePsi\n_" +
        std::string(x) + "\n_" + y + "\n";
    for (int i = 1; i <= 10; ++i) {
      text += std::to_string(i) + "@molecule.mrcs 1 " + std::to_string(30 * i) + " " +
              std::to_string(15 * i) + " 0 " + std::to_string(shift) + " " +
              std::to_string(-shift) + "\n";
    }
    return text;
  };
  std::ofstream(path("pixels.star")) << table("rlnOriginX", "rlnOriginY", 3);
  std::ofstream(path("lengths.star")) << table("rlnOriginXAngst", "rlnOriginYAngst", 9);
  for (const char* name : {"pixels", "lengths"}) {
    run({"backproject", path(std::string(name) + ".star"), "-o", path(std::string(name) + ".mrc"),
         "--voxel-size", "3,3,3"});
  }
  EXPECT_EQ(pixels("pixels.mrc"), pixels("lengths.mrc"));
}

TEST_F(BackprojectCommand, NoOutputReplacesTheImages) {
  make({.images = 10});
  const std::string stack = bytes_of(path("molecule.mrcs"));
  const std::string table = bytes_of(path("molecule.star"));
  std::filesystem::create_hard_link(path("molecule.mrcs"), path("map_half2.mrc"));
  const std::vector<std::string> words{"--force"};
  expect_refused({"backproject", path("molecule.star"), "-o", path("molecule.mrcs")}, words);
  expect_refused({"backproject", path("molecule.star"), "-o", path("map.mrc"), "--half-maps"},
                 words);
  std::ofstream(path("none.json")) << R"({"aprscope": 1, "steps": []})";
  expect_refused({"run", path("none.json"), path("molecule.star"), "-o", path("molecule.mrcs")},
                 words);
  std::ofstream(path("one.json")) << R"({"aprscope": 1, "steps": [{"operation": "backproject"}]})";
  expect_refused({"run", path("one.json"), path("molecule.star"), "-o", path("map_half2.mrc")},
                 words);
  EXPECT_FALSE(std::filesystem::exists(path("map.mrc")));
  EXPECT_EQ(bytes_of(path("molecule.mrcs")), stack);
  EXPECT_EQ(bytes_of(path("molecule.star")), table);
}

// Images that somebody recorded are not replaced by simulated ones.
TEST_F(BackprojectCommand, ProjectingReplacesNoStackOfItsAngles) {
  make({.images = 10});
  run({"backproject", path("molecule.star"), "-o", path("map.mrc")});
  const std::string stack = bytes_of(path("molecule.mrcs"));
  std::filesystem::copy_file(path("molecule.star"), path("angles.star"));
  for (const char* output : {"molecule.star", "molecule.mrcs"}) {
    expect_refused(
        {"project", path("map.mrc"), "--angles", path("angles.star"), "-o", path(output)},
        {"molecule.mrcs", "--force"});
  }
  std::ofstream(path("project.json"))
      << R"({"aprscope": 1, "steps": [{"operation": "project", "parameters": {"angles": ")"
      << path("angles.star") << R"("}}]})";
  expect_refused({"run", path("project.json"), path("map.mrc"), "-o", path("molecule.mrcs")},
                 {"molecule.mrcs", "--force"});
  EXPECT_EQ(bytes_of(path("molecule.mrcs")), stack);
  // A name that was not given is not replaced either, whatever it is.
  std::ofstream(path("other.mrcs")) << "mine";
  expect_refused({"project", path("map.mrc"), "--images", "5", "-o", path("other.star")},
                 {"other.mrcs", "--force"});
  EXPECT_EQ(bytes_of(path("other.mrcs")), "mine");
  run({"project", path("map.mrc"), "--images", "5", "-o", path("other.star"), "--force"});
  EXPECT_NE(bytes_of(path("other.mrcs")), "mine");
}

TEST_F(BackprojectCommand, ImagesWithoutCtfHaveATableWithout) {
  make({.images = 60, .defocus = true});
  run({"backproject", path("molecule.star"), "--ctf", "none", "-o", path("map.mrc")});
  run({"project", path("map.mrc"), "--angles", path("molecule.star"), "-o", path("plain.star")});
  EXPECT_EQ(bytes_of(path("plain.star")).find("_rlnDefocusU"), std::string::npos);
  run({"backproject", path("plain.star"), "-o", path("again.mrc")});
  EXPECT_GT(correlation_of(pixels("again.mrc"), pixels("map.mrc")), 0.99);
  run({"project", path("map.mrc"), "--angles", path("molecule.star"), "--ctf", "-o",
       path("rings.star")});
  EXPECT_NE(bytes_of(path("rings.star")).find("_rlnDefocusU"), std::string::npos);
}

TEST_F(BackprojectCommand, TheTableOfAStackReplacesNoInput) {
  make({.images = 10});
  run({"backproject", path("molecule.star"), "-o", path("map.mrc")});
  std::filesystem::copy_file(path("molecule.star"), path("angles.star"));
  const std::string table = bytes_of(path("angles.star"));
  expect_refused(
      {"project", path("map.mrc"), "--angles", path("angles.star"), "-o", path("angles.MRCS")},
      {"angles.star", "--force"});
  EXPECT_EQ(bytes_of(path("angles.star")), table);
  EXPECT_FALSE(std::filesystem::exists(path("angles.MRCS")));
}

TEST_F(BackprojectCommand, ATableOfTwoStacksBecomesOneWithoutSteps) {
  make({.images = 12});
  std::filesystem::copy_file(path("molecule.mrcs"), path("other.mrcs"));
  change_last_line("12@molecule.mrcs", "5@other.mrcs");
  std::ofstream(path("none.json")) << R"({"aprscope": 1, "steps": []})";
  // Endings may be in capitals.
  run({"run", path("none.json"), path("molecule.star"), "-o", path("joined.MRCS")});
  const auto text = read_text(path("joined.star"));
  ASSERT_TRUE(text.ok());
  EXPECT_NE(text->find("000012@joined.MRCS"), std::string::npos) << *text;
  EXPECT_EQ(text->find("other"), std::string::npos) << *text;
  const auto recorded = pixels("molecule.mrcs");
  const auto joined = pixels("joined.MRCS");
  constexpr std::ptrdiff_t kImage = 32 * 32;
  ASSERT_EQ(joined.size(), recorded.size());
  EXPECT_TRUE(std::equal(joined.begin(), joined.end() - kImage, recorded.begin()));
  EXPECT_TRUE(std::equal(joined.end() - kImage, joined.end(), recorded.begin() + 4 * kImage));
}

TEST_F(BackprojectCommand, UnusableAnglesAreNotProjectedAs0) {
  make({.images = 10});
  run({"backproject", path("molecule.star"), "-o", path("map.mrc")});
  // Images that are not there do not matter.
  change_last_line("10@molecule.mrcs ", "90@molecule.mrcs ");
  run({"project", path("map.mrc"), "--angles", path("molecule.star"), "-o", path("views.mrcs")});
  change_last_line("90@molecule.mrcs ", "10@molecule.mrcs nan");
  expect_refused(
      {"project", path("map.mrc"), "--angles", path("molecule.star"), "-o", path("views.mrcs")},
      {"molecule.star", "image 10"});
}

TEST_F(BackprojectCommand, RowsThatAreDisabledDoNotMatter) {
  make({.images = 10});
  // Xmipp's, with two rows that are off: one of a stack that is not there, one without an angle.
  std::string rows;
  for (int i = 1; i <= 10; ++i) {
    const bool off = i > 8;
    rows += std::to_string(i) + (i == 10 ? "@gone.stk " : "@molecule.mrcs ") +
            (off ? "-1 " : "1 ") + (i == 9 ? "nan" : std::to_string(30 * i)) + " " +
            std::to_string(15 * i) + " 0 4 0\n";
  }
  std::ofstream(path("some.xmd"))
      << "# XMIPP_STAR_1 * \n#\ndata_noname\nloop_\n _image\n _enabled\n _angleRot\n"
         " _angleTilt\n _anglePsi\n _shiftX\n _shiftY\n"
      << rows;
  const Json done =
      run({"backproject", path("some.xmd"), "-o", path("map.mrc"), "--voxel-size", "2,2,2"});
  EXPECT_EQ(done["images"], 8);
  EXPECT_EQ(done["voxel_size"]["unit"], "Å");
  EXPECT_DOUBLE_EQ(done["voxel_size"]["x"].get<double>(), 2.0);
  run({"project", path("map.mrc"), "--angles", path("some.xmd"), "-o", path("views.mrcs")});
  EXPECT_EQ(run({"info", path("views.star")})["images"], 8);
}

TEST_F(BackprojectCommand, ShiftsOfAnglesStayTheSameLength) {
  make({.images = 10});
  run({"backproject", path("molecule.star"), "-o", path("map.mrc")});
  // The map's pixels are half as large: shifts in pixels double.
  std::ofstream(path("angles.star"))
      << "data_optics\nloop_\n_rlnOpticsGroup\n_rlnImagePixelSize\n_rlnImageSize\n1 4 32\n"
         "data_particles\nloop_\n_rlnImageName\n_rlnOpticsGroup\n_rlnAngleRot\n"
         "_rlnAngleTilt\n_rlnAnglePsi\n_rlnOriginXAngst\n_rlnOriginYAngst\n"
         "1@molecule.mrcs 1 10 20 30 8 -12\n";
  run({"project", path("map.mrc"), "--angles", path("angles.star"), "-o", path("views.mrcs")});
  const auto text = read_text(path("views.star"));
  ASSERT_TRUE(text.ok());
  EXPECT_NE(text->find("000001@views.mrcs 1 8 -12 "), std::string::npos) << *text;
}

}  // namespace
}  // namespace aprscope::test
