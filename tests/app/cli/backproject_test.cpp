// Maps from projections by the real program: half maps, recipes, rows that are left out.
#include "core/projections/backproject.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include <gtest/gtest.h>

#include "core/base/atomic_file.hpp"
#include "core/io/image_source.hpp"
#include "tests/app/cli/backproject_fixture.hpp"

namespace aprscope::test {
namespace {

using Json = nlohmann::json;

TEST_F(BackprojectCommand, MakesTheMapThatWasProjected) {
  make();
  const Json done = run({"backproject", path("molecule.star"), "-o", path("map.mrc"), "--half-maps",
                         "--fsc", path("fsc.csv")});
  EXPECT_EQ(done["images"], 200);
  EXPECT_EQ(done["left_out"], 0);
  EXPECT_DOUBLE_EQ(done["voxel_size"]["x"].get<double>(), 2.0);
  EXPECT_EQ(done["voxel_size"]["unit"], "Å");
  EXPECT_GT(correlation_of(pixels("map.mrc"), truth_), 0.97);
  EXPECT_GT(correlation_of(pixels("map_half1.mrc"), pixels("map_half2.mrc")), 0.95);
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
  const double division = correlation_of(pixels("division.mrc"), truth_);
  const double solved = correlation_of(pixels("solved.mrc"), truth_);
  EXPECT_LT(1.0 - solved, 0.7 * (1.0 - division));
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

TEST_F(BackprojectCommand, ATypedPixelSizeScalesTheMapAlone) {
  make({.images = 20});
  run({"backproject", path("molecule.star"), "-o", path("map.mrc")});
  // Without shifts, whose lengths would stay.
  run({"project", path("map.mrc"), "-o", path("views.mrcs"), "--images", "40"});
  run({"backproject", path("views.star"), "-o", path("again.mrc")});
  const Json done =
      run({"backproject", path("views.star"), "-o", path("typed.mrc"), "--voxel-size", "3,3,3"});
  EXPECT_DOUBLE_EQ(done["voxel_size"]["x"].get<double>(), 3.0);
  EXPECT_GT(correlation_of(pixels("typed.mrc"), pixels("again.mrc")), 0.99999);
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

}  // namespace
}  // namespace aprscope::test
