// Maps from projections by the real program: tables, half maps, recipes, simulated sets.
#include "core/projections/backproject.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include <gtest/gtest.h>

#include "core/base/atomic_file.hpp"
#include "core/io/em/mrc_write.hpp"
#include "core/io/image_source.hpp"
#include "tests/app/cli/chain_fixture.hpp"
#include "tests/support/projection_set.hpp"

namespace aprscope::test {
namespace {

using Json = nlohmann::json;

double correlation(const std::vector<float>& a, const std::vector<float>& b) {
  if (a.size() != b.size() || a.empty()) return 0.0;
  double sa = 0.0;
  double sb = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sa += a[i];
    sb += b[i];
  }
  sa /= static_cast<double>(a.size());
  sb /= static_cast<double>(a.size());
  double ab = 0.0;
  double aa = 0.0;
  double bb = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - sa) * (b[i] - sb);
    aa += (a[i] - sa) * (a[i] - sa);
    bb += (b[i] - sb) * (b[i] - sb);
  }
  return ab / std::sqrt(aa * bb);
}

class BackprojectCommand : public Chain {
 protected:
  void make(const ProjectionSetFiles& settings = {.images = 200}) {
    truth_ = write_projection_set(folder_.path(), settings);
    ASSERT_FALSE(truth_.empty());
  }
  std::vector<float> pixels(const std::string& name) {
    const auto read = load_file(path(name));
    EXPECT_TRUE(read.ok()) << (read ? "" : read.error().message());
    return read ? std::get<Volume>(*read).to_float().values : std::vector<float>{};
  }
  void expect_refused(const std::vector<std::string>& arguments,
                      const std::vector<std::string>& words) {
    const ProgramResult done = run_cli(arguments);
    EXPECT_EQ(done.exit_code, 1) << done.out;
    EXPECT_TRUE(done.one_line_error()) << done.err;
    for (const std::string& each : words) {
      EXPECT_NE(done.err.find(each), std::string::npos) << done.err;
    }
  }
  // Of all .csv files in the folder.
  std::string all_tables_written() {
    std::string all;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      if (entry.path().extension() != ".csv") continue;
      const auto text = read_text(entry.path());
      EXPECT_TRUE(text.ok());
      if (text.ok()) all += *text;
    }
    return all;
  }
  // Replaces a word in the table, on its last line only.
  void change_last_line(const std::string& from, const std::string& to) {
    auto text = *read_text(path("molecule.star"));
    const auto at = text.rfind(from);
    ASSERT_NE(at, std::string::npos);
    text.replace(at, from.size(), to);
    std::ofstream(path("molecule.star")) << text;
  }

  std::vector<float> truth_;
};

TEST_F(BackprojectCommand, MakesTheMapThatWasProjected) {
  make();
  const Json done = run({"backproject", path("molecule.star"), "-o", path("map.mrc"), "--half-maps",
                         "--fsc", path("fsc.csv")});
  EXPECT_EQ(done["images"], 200);
  EXPECT_EQ(done["left_out"], 0);
  EXPECT_DOUBLE_EQ(done["voxel_size"]["x"].get<double>(), 2.0);
  EXPECT_EQ(done["voxel_size"]["unit"], "Å");
  EXPECT_GT(correlation(pixels("map.mrc"), truth_), 0.97);
  EXPECT_GT(correlation(pixels("map_half1.mrc"), pixels("map_half2.mrc")), 0.95);
  const auto table = read_text(path("fsc.csv"));
  ASSERT_TRUE(table.ok());
  EXPECT_NE(table->find("shell,frequency (1/Å),resolution (Å),unmasked"), std::string::npos)
      << *table;
  // The half maps say the same, taken from files.
  const Json again = run({"fsc", path("map_half1.mrc"), path("map_half2.mrc")});
  const auto& shells = again["measured"][0]["tables"][0];
  EXPECT_EQ(shells["id"], "shells");
  // The same bytes for another number of threads.
  run({"backproject", path("molecule.star"), "-o", path("one.mrc"), "--threads", "1"});
  EXPECT_EQ(pixels("one.mrc"), pixels("map.mrc"));
}

// The curves stand in the report, whose numbers say how many images they are of.
TEST_F(BackprojectCommand, WeightsThatFollowTheNoise) {
  make({.images = 60, .noise = 1.0, .defocus = true});
  const Json done = run({"backproject", path("molecule.star"), "-o", path("map.mrc"),
                         "--noise-power", "corners", "--noise-images", "50"});
  ASSERT_EQ(done["noise_power"].size(), 1U);
  const Json& group = done["noise_power"][0];
  EXPECT_EQ(group["images"], 50);
  EXPECT_GT(group["power"].size(), 20U);
  for (std::size_t k = 3; k < group["power"].size(); ++k) {
    EXPECT_GT(group["power"][k].get<double>(), 0.0);
  }
  EXPECT_NE(done["notes"].dump().find("noise in the corners of 50 images"), std::string::npos);
  run({"backproject", path("molecule.star"), "-o", path("one.mrc"), "--noise-power", "corners",
       "--noise-images", "50", "--threads", "1"});
  EXPECT_EQ(pixels("one.mrc"), pixels("map.mrc"));
  expect_refused({"backproject", path("molecule.star"), "-o", path("no.mrc"), "--noise-power",
                  "corners", "--ctf", "none"},
                 {"go with a CTF", "molecule.star"});
}

// Where memory is said to be short the sums lie in files, and the images go in several times.
TEST_F(BackprojectCommand, LittleMemoryGivesTheSameBytesInPasses) {
  make({.images = 20, .side = 96});
  run({"backproject", path("molecule.star"), "-o", path("map.mrc"), "--device", "cpu"});
  const auto read = load_file(path("molecule.star"));
  ASSERT_TRUE(read) << read.error().message();
  const ProjectionTable& table = std::get<Volume>(*read).projections->table;
  const std::uint64_t least = backproject_scratch_bytes(table, {});
  const std::uint64_t enough = backproject_bytes(table, {});
  const std::uint64_t megabytes = least / 1'000'000 + 4;
  ASSERT_LT(megabytes * 1'000'000, enough * 2 / 3);
  ProgramOptions little;
  little.launcher = {"/usr/bin/env", "APRSCOPE_MEMORY_MB=" + std::to_string(megabytes)};
  const ProgramResult done = run_cli(
      {"backproject", path("molecule.star"), "-o", path("two.mrc"), "--device", "cpu", "--json"},
      little);
  if (done.err.find("TMPDIR") != std::string::npos) GTEST_SKIP() << done.err;
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_NE(done.json()["notes"].dump().find("the images were inserted"), std::string::npos)
      << done.out;
  EXPECT_EQ(pixels("two.mrc"), pixels("map.mrc"));
  // Less than that is refused, with numbers.
  little.launcher[1] = "APRSCOPE_MEMORY_MB=20";
  const ProgramResult refused = run_cli(
      {"backproject", path("molecule.star"), "-o", path("no.mrc"), "--device", "cpu"}, little);
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_NE(refused.err.find("of memory, but only"), std::string::npos) << refused.err;
}

TEST_F(BackprojectCommand, LeastSquaresIsNearerWhereThereIsNoNoise) {
  make();
  run({"backproject", path("molecule.star"), "-o", path("division.mrc")});
  run({"backproject", path("molecule.star"), "-o", path("solved.mrc"), "--solve", "least_squares",
       "--iterations", "10"});
  const double division = correlation(pixels("division.mrc"), truth_);
  const double solved = correlation(pixels("solved.mrc"), truth_);
  EXPECT_LT(1.0 - solved, 0.7 * (1.0 - division));
}

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
  EXPECT_GT(correlation(pixels("again.mrc"), pixels("map.mrc")), 0.97);
  // Along the orientations of another table.
  run({"project", path("map.mrc"), "--angles", path("molecule.star"), "-o", path("same.mrcs")});
  const auto first = pixels("same.mrcs");
  const auto recorded = pixels("molecule.mrcs");
  EXPECT_GT(correlation(first, recorded), 0.97);
}

TEST_F(BackprojectCommand, ARecipeGoesOnToParticles) {
  make();
  std::ofstream(path("recipe.json")) << R"({"aprscope": 1, "steps": [
    {"operation": "backproject", "parameters": {"symmetry": "C1"}},
    {"operation": "fsc"},
    {"operation": "convert", "parameters": {"rel_error": 0.1}}]})";
  const Json done = run({"run", path("recipe.json"), path("molecule.star"), "-o", path("map.apr")});
  EXPECT_TRUE(std::filesystem::exists(path("map.apr")));
  const Json info = run({"info", path("map.apr")});
  EXPECT_EQ(info["size"]["z"], 32);
  EXPECT_EQ(info["voxel_size"]["unit"], "Å");
}

TEST_F(BackprojectCommand, WhatCannotBeUsedIsNamedAndLeftOutWhenAsked) {
  make({.images = 40});
  // The angle of the last image.
  auto text = *read_text(path("molecule.star"));
  const auto line = text.rfind("40@molecule.mrcs ");
  ASSERT_NE(line, std::string::npos);
  const auto begin = line + std::string("40@molecule.mrcs ").size();
  text.replace(begin, text.find(' ', begin) - begin, "nan");
  std::ofstream(path("molecule.star")) << text;
  expect_refused({"backproject", path("molecule.star"), "-o", path("map.mrc")},
                 {"molecule.star", "image 40", "line"});
  EXPECT_FALSE(std::filesystem::exists(path("map.mrc")));
  const Json done =
      run({"backproject", path("molecule.star"), "-o", path("map.mrc"), "--skip-unusable"});
  EXPECT_EQ(done["images"], 39);
  EXPECT_EQ(done["left_out"], 1);
}

TEST_F(BackprojectCommand, PixelsThatAreNoNumbersAreLeftOutWhenAsked) {
  make({.images = 40});
  std::fstream stack(path("molecule.mrcs"), std::ios::in | std::ios::out | std::ios::binary);
  const float bad = std::numeric_limits<float>::quiet_NaN();
  for (const std::int64_t image : {11, 37}) {
    stack.seekp(1024 + (image - 1) * 32 * 32 * 4 + 100);
    stack.write(reinterpret_cast<const char*>(&bad), sizeof bad);  // NOLINT: bytes of a file
  }
  stack.close();
  expect_refused({"backproject", path("molecule.star"), "-o", path("map.mrc")},
                 {"molecule.star", "2 images", "image 11 of molecule.mrcs", "rows 11,37"});
  for (const std::vector<std::string>& asked :
       {std::vector<std::string>{"--skip-unusable"}, {"--leave-out", "unusable"}}) {
    std::vector<std::string> arguments{"backproject", path("molecule.star"), "-o", path("map.mrc")};
    arguments.insert(arguments.end(), asked.begin(), asked.end());
    const Json done = run(arguments);
    EXPECT_EQ(done["images"], 38);
    EXPECT_EQ(done["left_out"], 2);
    EXPECT_NE(done["notes"].dump().find("rows 11,37"), std::string::npos) << done["notes"];
  }
}

TEST_F(BackprojectCommand, WhatTheTableLacksIsSaidOfTheMap) {
  make({.images = 40});
  const auto without = [&](const std::vector<std::string>& columns) {
    auto text = *read_text(path("molecule.star"));
    for (const std::string& column : columns) {
      const auto at = text.find("_" + column + " ");
      ASSERT_NE(at, std::string::npos) << column;
      text.replace(at, 4, "_xyz");
    }
    std::ofstream(path("lacks.star")) << text;
  };
  without({"rlnAnglePsi"});
  const Json done = run({"backproject", path("lacks.star"), "-o", path("map.mrc")});
  EXPECT_NE(done["notes"].dump().find("lacks.star: there is no column rlnAnglePsi: it is taken"),
            std::string::npos)
      << done["notes"];
  without({"rlnAngleRot", "rlnAngleTilt", "rlnAnglePsi"});
  expect_refused({"backproject", path("lacks.star"), "-o", path("no.mrc")},
                 {"lacks.star", "no angles", "refinement"});
}

TEST_F(BackprojectCommand, RowsAreLeftOutAsIfTheTableDidNotHaveThem) {
  make({.images = 40});
  const Json done = run(
      {"backproject", path("molecule.star"), "-o", path("less.mrc"), "--leave-out", "3,17-20,40"});
  EXPECT_EQ(done["images"], 34);
  EXPECT_EQ(done["left_out"], 6);
  // The same table without their lines.
  const auto text = read_text(path("molecule.star"));
  ASSERT_TRUE(text.ok());
  std::istringstream lines(*text);
  std::ofstream fewer(path("fewer.star"));
  for (std::string line; std::getline(lines, line);) {
    const int image = std::atoi(line.c_str());
    const bool row = line.find("@molecule.mrcs") != std::string::npos;
    if (row && (image == 3 || (image >= 17 && image <= 20) || image == 40)) continue;
    fewer << line << '\n';
  }
  fewer.close();
  run({"backproject", path("fewer.star"), "-o", path("fewer.mrc")});
  EXPECT_EQ(pixels("less.mrc"), pixels("fewer.mrc"));
  // So does a recipe.
  std::ofstream(path("recipe.json")) << R"({"aprscope": 1, "steps": [
    {"operation": "backproject", "parameters": {"leave_out": "3,17-20,40"}}]})";
  run({"run", path("recipe.json"), path("molecule.star"), "-o", path("again.mrc")});
  EXPECT_EQ(pixels("again.mrc"), pixels("less.mrc"));
  expect_refused({"backproject", path("molecule.star"), "-o", path("no.mrc"), "--leave-out", "41"},
                 {"molecule.star", "41", "40 rows"});
  expect_refused({"backproject", path("molecule.star"), "-o", path("no.mrc"), "--leave-out", "x"},
                 {"molecule.star", "“x”"});
  expect_refused(
      {"backproject", path("molecule.star"), "-o", path("no.mrc"), "--leave-out", "1-40"},
      {"molecule.star", "no image is left"});
  EXPECT_FALSE(std::filesystem::exists(path("no.mrc")));
}

TEST_F(BackprojectCommand, UnusableRowsAreLeftOutByTheirWord) {
  make({.images = 40});
  change_last_line("40@molecule.mrcs ", "40@molecule.mrcs nan");
  const Json done = run(
      {"backproject", path("molecule.star"), "-o", path("map.mrc"), "--leave-out", "1-2,unusable"});
  EXPECT_EQ(done["images"], 37);
  run({"backproject", path("molecule.star"), "-o", path("same.mrc"), "--leave-out", "1-2,40"});
  EXPECT_EQ(pixels("same.mrc"), pixels("map.mrc"));
  // They are named in the table of rows.
  run({"projections", path("molecule.star"), "-o", path("rows.csv")});
  EXPECT_NE(all_tables_written().find("rlnAngleRot is not a finite number"), std::string::npos);
}

TEST_F(BackprojectCommand, ImagesAreComparedWithAMap) {
  make({.images = 30});
  run({"backproject", path("molecule.star"), "-o", path("map.mrc")});
  // The last image has the orientation of another.
  auto text = *read_text(path("molecule.star"));
  const auto other = text.find("\n1@molecule.mrcs ");
  ASSERT_NE(other, std::string::npos);
  const std::string words = text.substr(other + 1, text.find('\n', other + 1) - other - 1);
  const auto last = text.rfind("30@molecule.mrcs ");
  text.replace(last, std::string::npos, "30" + words.substr(1) + "\n");
  std::ofstream(path("wrong.star")) << text;
  const Json done = run(
      {"projections", path("wrong.star"), "--against", path("map.mrc"), "--csv", path("t.csv")});
  EXPECT_FALSE(done["measured"].empty());
  const std::string table = all_tables_written();
  const auto head = table.find("image,correlation,rot");
  ASSERT_NE(head, std::string::npos) << table.substr(0, 400);
  std::istringstream rows(table.substr(table.find('\n', head) + 1));
  std::vector<double> correlations;
  for (std::string line; correlations.size() < 30 && std::getline(rows, line);) {
    correlations.push_back(std::strtod(line.c_str() + line.find(',') + 1, nullptr));
  }
  ASSERT_EQ(correlations.size(), 30U);
  for (std::size_t i = 0; i + 1 < 30; ++i) EXPECT_GT(correlations[i], 0.95) << i;
  EXPECT_LT(correlations.back(), 0.94);
  run({"project", path("map.mrc"), "-o", path("views.mrcs"), "--images", "2"});
  expect_refused({"projections", path("molecule.star"), "--against", path("views.mrcs")},
                 {"views.mrcs"});
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

TEST_F(BackprojectCommand, AMissingOrShortStackIsNamed) {
  make({.images = 40});
  std::filesystem::resize_file(path("molecule.mrcs"), 1024 + 10 * 32 * 32 * 4);
  expect_refused({"backproject", path("molecule.star"), "-o", path("map.mrc")}, {"molecule.mrcs"});
  std::filesystem::remove(path("molecule.mrcs"));
  expect_refused({"backproject", path("molecule.star"), "-o", path("map.mrc")}, {"molecule.mrcs"});
}

TEST_F(BackprojectCommand, OtherDataIsRefused) {
  make({.images = 10});
  expect_refused({"backproject", path("molecule.mrcs"), "-o", path("map.mrc")},
                 {"molecule", "no set of projections"});
  expect_refused({"backproject", path("molecule.star"), "-o", path("map.mrc"), "--symmetry", "Q7"},
                 {"Q7"});
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
  EXPECT_GT(correlation(pixels("again.mrc"), pixels("map.mrc")), 0.99);
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

TEST_F(BackprojectCommand, ATypedPixelSizeScalesTheMapAlone) {
  make({.images = 20});
  run({"backproject", path("molecule.star"), "-o", path("map.mrc")});
  // Without shifts, whose lengths would stay.
  run({"project", path("map.mrc"), "-o", path("views.mrcs"), "--images", "40"});
  run({"backproject", path("views.star"), "-o", path("again.mrc")});
  const Json done =
      run({"backproject", path("views.star"), "-o", path("typed.mrc"), "--voxel-size", "3,3,3"});
  EXPECT_DOUBLE_EQ(done["voxel_size"]["x"].get<double>(), 3.0);
  EXPECT_GT(correlation(pixels("typed.mrc"), pixels("again.mrc")), 0.99999);
}

TEST_F(BackprojectCommand, HalfMapsThatCannotBeAreRefusedAtOnce) {
  make({.images = 10});
  expect_refused({"backproject", path("molecule.star"), "-o", path("m.png"), "--half-maps"},
                 {"m.png", ".mrc"});
  expect_refused({"backproject", path("molecule.star"), "-o", path("m.mrc"), "--halves", "none",
                  "--fsc", path("f.csv")},
                 {"--halves"});
  EXPECT_FALSE(std::filesystem::exists(path("m_half1.png")));
  EXPECT_FALSE(std::filesystem::exists(path("m.mrc")));
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
