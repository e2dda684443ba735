// What is measured, by the real program: as text, JSON, CSV, in recipes and over many files.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "core/base/atomic_file.hpp"
#include "tests/app/cli/chain_fixture.hpp"

namespace aprscope::test {
namespace {

using Json = nlohmann::json;

// A number of the first table, by the id of its column.
Json cell(const Json& report, const std::string& id, std::size_t row = 0) {
  for (const Json& column : report["measured"][0]["tables"][0]["columns"]) {
    if (column["id"] == id) return column["cells"][row];
  }
  return {};
}

std::string without_comments(std::string text) {
  while (text.rfind("# ", 0) == 0) text.erase(0, text.find('\n') + 1);
  return text;
}

class Measure : public Chain {
 protected:
  void SetUp() override {
    run({"synth", "cells", "-o", path("a.tif"), "--size", "12,40,48", "--seed", "5"});
    run({"synth", "cells", "-o", path("b.tif"), "--size", "12,40,48", "--seed", "6"});
  }
};

TEST_F(Measure, TheReportHasTheTableAndTheHistogram) {
  const auto image = run({"statistics", path("a.tif")});
  EXPECT_EQ(cell(image, "pixels"), 12 * 40 * 48);
  EXPECT_LE(cell(image, "minimum").get<double>(), cell(image, "median").get<double>());
  EXPECT_LE(cell(image, "median").get<double>(), cell(image, "maximum").get<double>());
  double sum = 0.0;
  for (const Json& count : image["measured"][0]["curves"][0]["ys"][0]["values"]) {
    sum += count.get<double>();
  }
  EXPECT_EQ(sum, 12 * 40 * 48);
  // The image that particles make has their statistics.
  run({"convert", path("a.tif"), "-o", path("a.apr")});
  run({"reconstruct", path("a.apr"), "-o", path("r.tif")});
  const auto particles = run({"statistics", path("a.apr"), "--region", "2:9,0:40,7:33"});
  const auto pixels = run({"statistics", path("r.tif"), "--region", "2:9,0:40,7:33"});
  for (const char* id : {"pixels", "minimum", "q5", "median", "q95", "maximum"}) {
    EXPECT_EQ(cell(particles, id), cell(pixels, id)) << id;
  }
  EXPECT_NEAR(cell(particles, "mean").get<double>(), cell(pixels, "mean").get<double>(), 1e-9);
  EXPECT_TRUE(cell(pixels, "particles").is_null());
  EXPECT_TRUE(cell(particles, "cell_side").is_null());  // of all levels there is none
  EXPECT_GE(cell(particles, "cell_side", 1).get<double>(), 1.0);
}

TEST_F(Measure, TextHasALineAColumn) {
  const ProgramResult done = run_cli({"statistics", path("a.tif")});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_NE(done.out.find("Histogram: "), std::string::npos) << done.out;
  EXPECT_NE(done.out.find("\nMedian "), std::string::npos) << done.out;
  EXPECT_EQ(done.out.find('{'), std::string::npos) << done.out;
}

TEST_F(Measure, AProfileIsThatOfTheImageAndOfItsParticles) {
  run({"convert", path("a.tif"), "-o", path("a.apr")});
  run({"reconstruct", path("a.apr"), "-o", path("r.tif")});
  const std::vector<std::string> line{"--start", "5,3,4", "--end", "5,33,44", "--width", "3"};
  const auto profile = [&](const std::string& file) {
    std::vector<std::string> words{"line-profile", path(file)};
    words.insert(words.end(), line.begin(), line.end());
    return run(words);
  };
  const auto particles = profile("a.apr");
  EXPECT_EQ(particles["measured"][0]["curves"], profile("r.tif")["measured"][0]["curves"]);
  EXPECT_EQ(cell(particles, "length_px"), 50.0);
  EXPECT_EQ(particles["measured"][0]["curves"][0]["x"]["values"].size(), 51U);
  std::vector<std::string> words{"line-profile", path("a.tif"), "-o", path("p.csv")};
  words.insert(words.end(), line.begin(), line.end());
  run(words);
  const auto curve = read_text(path("p-profile.csv"));
  ASSERT_TRUE(curve.ok());
  EXPECT_EQ(without_comments(*curve).rfind("distance (µm),value\n", 0), 0U) << curve->substr(0, 60);
  // One sentence where there is no line, or none in one slice.
  const ProgramResult none = run_cli({"line-profile", path("a.tif")});
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_NE(none.err.find("needs a line"), std::string::npos) << none.err;
  const ProgramResult leaves =
      run_cli({"line-profile", path("a.tif"), "--start", "1,0,0", "--end", "2,5,5"});
  EXPECT_NE(leaves.err.find("give both ends the same z"), std::string::npos) << leaves.err;
}

TEST_F(Measure, CsvIsAFileForEachCurveAndTable) {
  const auto done = run({"statistics", path("a.tif"), "-o", path("s.csv"), "--bins", "16"});
  EXPECT_EQ(done["output"].size(), 2U);
  EXPECT_FALSE(std::filesystem::exists(path("s.csv")));
  const auto table = read_text(path("s-statistics.csv"));
  const auto histogram = read_text(path("s-histogram.csv"));
  ASSERT_TRUE(table.ok() && histogram.ok());
  EXPECT_EQ(std::count(table->begin(), table->end(), '\n'), 2);
  EXPECT_LE(std::count(histogram->begin(), histogram->end(), '\n'), 17);
  EXPECT_EQ(histogram->rfind("value,pixels\n", 0), 0U);
}

TEST_F(Measure, TwoFilesBesideEachOtherDiffer) {
  run({"convert", path("a.tif"), "-o", path("a.apr")});
  const auto both = run({"topology", path("a.tif"), "--beside", path("a.apr")});
  const Json& curve = both["measured"][0]["curves"][0];
  ASSERT_EQ(curve["ys"].size(), 2U);
  // At each threshold what each of them says alone.
  const auto pixels = run({"topology", path("a.tif")});
  const Json& alone = pixels["measured"][0]["curves"][0];
  const Json& xs = curve["x"]["values"];
  for (std::size_t i = 0; i < alone["x"]["values"].size(); ++i) {
    const auto at = std::find(xs.begin(), xs.end(), alone["x"]["values"][i]);
    ASSERT_NE(at, xs.end());
    EXPECT_EQ(curve["ys"][0]["values"][static_cast<std::size_t>(at - xs.begin())],
              alone["ys"][0]["values"][i]);
  }
  const std::string note = both["measured"][0]["notes"].dump();
  EXPECT_NE(note.find("Euler characteristic: differs by up to "), std::string::npos) << note;
  // Of itself nothing differs.
  const auto same = run({"topology", path("a.tif"), "--beside", path("a.tif")});
  EXPECT_NE(same["measured"][0]["notes"].dump().find("no difference"), std::string::npos);
  // One file for the values and differences of each curve.
  run({"topology", path("a.tif"), "--beside", path("b.tif"), "-o", path("two.csv")});
  const auto table = read_text(path("two-ecc_pair.csv"));
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(without_comments(*table).rfind("threshold,first,second,difference\n", 0), 0U)
      << table->substr(0, 80);
  const ProgramResult gone = run_cli({"topology", path("a.tif"), "--beside", path("no.tif")});
  EXPECT_EQ(gone.exit_code, 1);
  EXPECT_NE(gone.err.find("no.tif"), std::string::npos);
}

TEST_F(Measure, SliceBySliceGivesTheSameNumbers) {
  const auto all = run({"topology", path("a.tif"), "--voxel-size", "2,1,1"});
  const auto streamed = run({"topology", path("a.tif"), "--stream", "--voxel-size", "2,1,1"});
  EXPECT_EQ(streamed["streamed"], true);
  EXPECT_TRUE(all.value("streamed", Json()).is_null());
  EXPECT_EQ(streamed["measured"], all["measured"]);
  run({"convert", path("a.tif"), "-o", path("a.apr")});
  const auto particles = run({"topology", path("a.apr"), "--stream"});
  EXPECT_EQ(particles["streamed"], true);
  EXPECT_EQ(particles["measured"], run({"topology", path("a.apr")})["measured"]);
  for (const char* file : {"a.tif", "a.apr"}) {
    for (const char* region : {"", "3:9,0:40,7:33"}) {
      const std::vector<std::string> asked{"statistics", path(file), "--voxel-size",
                                           "2,1,1",      "--region", region};
      const auto whole = run(asked);
      std::vector<std::string> in_parts = asked;
      in_parts.emplace_back("--stream");
      const auto parts = run(in_parts);
      EXPECT_EQ(parts["streamed"], true);
      EXPECT_EQ(parts["measured"], whole["measured"]) << file;
    }
  }
  EXPECT_EQ(run_cli({"line-profile", path("a.tif"), "--stream"}).exit_code, 2);
}

TEST_F(Measure, WhatTakesMoreThanIsSaidIsReadInParts) {
  run({"convert", path("a.tif"), "-o", path("a.apr"), "--rel-error", "0.01", "--no-auto"});
  const auto expect_same = [&](const char* command, const char* file) {
    SCOPED_TRACE(std::string(command) + " " + file);
    const auto whole = run({command, path(file), "--memory", "1GB"});
    EXPECT_TRUE(whole.value("streamed", Json()).is_null());
    const auto parts = run({command, path(file), "--memory", "20kB"});
    EXPECT_EQ(parts["streamed"], true);
    EXPECT_EQ(parts["measured"], whole["measured"]);
  };
  expect_same("topology", "a.tif");
  expect_same("statistics", "a.tif");
  expect_same("statistics", "a.apr");
  const auto refused = [&](std::vector<std::string> words, const std::string& memory) {
    words.insert(words.end(), {"--memory", memory});
    const auto done = run_cli(words);
    EXPECT_EQ(done.exit_code, 1) << words[0] << " " << words[1];
    EXPECT_TRUE(done.one_line_error()) << done.err;
    return done.err;
  };
  EXPECT_NE(refused({"topology", path("a.apr")}, "20kB").find("needs at least"), std::string::npos);
  // What cannot be done in parts says so instead of taking what it likes: also where the image fits
  // and what is made of it does not.
  const auto pixels = static_cast<std::uint64_t>(run({"info", path("a.tif")})["bytes"]);
  const std::string little = std::to_string(2 * pixels) + "B";
  for (const std::string& memory : {std::string("20kB"), little}) {
    for (const char* file : {"a.tif", "a.apr"}) {
      const std::string said = refused({"topology", path(file), "--betti"}, memory);
      EXPECT_NE(said.find("leave betti and persistence out"), std::string::npos) << said;
    }
    const std::string said = refused({"statistics", path("a.apr"), "--smooth"},
                                     memory == little ? std::to_string(pixels) + "B" : memory);
    EXPECT_NE(said.find("read in parts as particles only"), std::string::npos) << said;
  }
}

TEST_F(Measure, ARecipeMeasuresBetweenItsSteps) {
  run({"statistics", path("a.tif"), "-o", path("m.json"), "--bins", "16"});
  const auto recipe = Json::parse(*read_text(path("m.json")));
  EXPECT_EQ(recipe["steps"][0]["operation"], "statistics");
  EXPECT_EQ(recipe["steps"][0]["parameters"]["bins"], 16);
  Json longer = recipe;
  longer["steps"].push_back({{"operation", "box"}, {"parameters", Json::object()}});
  longer["steps"].push_back(recipe["steps"][0]);
  ASSERT_TRUE(write_text_atomically(path("l.json"), longer.dump()).ok());
  const auto both = run({"run", path("l.json"), path("a.tif"), "-o", path("box.tif")});
  ASSERT_EQ(both["measured"].size(), 2U);
  EXPECT_EQ(both["measured"][0], run({"statistics", path("a.tif"), "--bins", "16"})["measured"][0]);
  const auto after = run({"statistics", path("box.tif"), "--bins", "16"});
  EXPECT_EQ(both["measured"][1]["tables"], after["measured"][0]["tables"]);
  // As files: those of both steps.
  const auto csv = run({"run", path("l.json"), path("a.tif"), "-o", path("l.csv")});
  EXPECT_EQ(csv["output"].size(), 4U);
  EXPECT_TRUE(std::filesystem::exists(path("l-statistics-2.csv")));
}

TEST_F(Measure, TopologyOfParticlesIsThatOfTheirPixels) {
  run({"convert", path("a.tif"), "-o", path("a.apr")});
  run({"reconstruct", path("a.apr"), "-o", path("r.tif")});
  for (const char* sets : {"superlevel", "sublevel"}) {
    for (const char* construction : {"t", "v"}) {
      const auto of = [&](const char* file) {
        return run({"topology", path(file), "--sets", sets, "--construction", construction});
      };
      EXPECT_EQ(of("a.apr")["measured"][0]["tables"], of("r.tif")["measured"][0]["tables"]);
    }
  }
  // One file: the curves are columns of the table.
  const auto written = run({"topology", path("a.apr"), "-o", path("t.csv"), "--levels", "50"});
  EXPECT_EQ(written["output"], path("t.csv"));
  const auto table = read_text(path("t.csv"));
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(without_comments(*table).rfind("threshold,voxels,vcec,ecc,volume (", 0), 0U) << *table;
  EXPECT_LE(std::count(table->begin(), table->end(), '\n'), 51 + 5);
  // First what, of what, how and by what.
  EXPECT_EQ(table->rfind("# aprscope ", 0), 0U) << *table;
  for (const char* words :
       {"\n# of a", "\n# topology levels=50 ", "\n# bright objects, voxels", "\n# voxels of "}) {
    EXPECT_NE(table->find(words), std::string::npos) << words << "\n" << *table;
  }
}

TEST_F(Measure, ThresholdsAreGivenOrTakenFromATable) {
  const auto given = run({"topology", path("a.tif"), "--thresholds", "0:255:52"});
  const Json& cells = given["measured"][0]["tables"][0]["columns"][0]["cells"];
  ASSERT_EQ(cells.size(), 52U);
  EXPECT_EQ(cells[0], 0.0);
  EXPECT_EQ(cells[51], 255.0);
  // A curve that was written has the thresholds of the next one.
  run({"topology", path("a.tif"), "--thresholds", "0:255:52", "-o", path("c.csv")});
  const auto again = run({"topology", path("a.tif"), "--thresholds", path("c.csv")});
  EXPECT_EQ(again["measured"][0]["tables"], given["measured"][0]["tables"]);
  EXPECT_EQ(run_cli({"topology", path("a.tif"), "--thresholds", path("c.csv"), "-o", path("c.csv")})
                .exit_code,
            1);
  const ProgramResult wrong = run_cli({"topology", path("a.tif"), "--thresholds", "0:255:0"});
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_TRUE(wrong.one_line_error()) << wrong.err;
}

TEST_F(Measure, ParticlesAreMeasuredOnTheirPixelsWhereAsked) {
  run({"convert", path("a.tif"), "-o", path("a.apr")});
  run({"reconstruct", path("a.apr"), "-o", path("s.tif"), "--mode", "smooth"});
  const auto tables = [](const Json& report) { return report["measured"][0]["tables"]; };
  const auto native = run({"topology", path("a.apr")});
  const auto constant = run({"topology", path("a.apr"), "--as-pixels"});
  EXPECT_EQ(tables(constant), tables(native));
  EXPECT_EQ(constant["reconstructed"], "constant");
  const auto smooth = run({"topology", path("a.apr"), "--smooth"});
  EXPECT_EQ(tables(smooth), tables(run({"topology", path("s.tif")})));
  EXPECT_NE(tables(smooth), tables(native));
  // Pixels are what they are; one or the other; a recipe knows neither.
  EXPECT_EQ(tables(run({"topology", path("a.tif"), "--smooth"})),
            tables(run({"topology", path("a.tif")})));
  EXPECT_EQ(run_cli({"topology", path("a.apr"), "--smooth", "--as-pixels"}).exit_code, 2);
  EXPECT_EQ(run_cli({"topology", path("a.apr"), "--smooth", "-o", path("r.json")}).exit_code, 1);
}

TEST_F(Measure, DensitiesAreCountsByTheVolumeOfTheImage) {
  const auto found =
      run({"topology", path("a.tif"), "--densities", "--betti", "--voxel-size", "2,1,0.5"});
  const double volume = 12 * 40 * 48 * 2.0 * 0.5 * 1e-9;
  for (const std::size_t row : {0U, 7U, 30U}) {
    const auto number = [&](const char* id) { return cell(found, id, row).get<double>(); };
    EXPECT_NEAR(number("b0_density") * volume, number("b0"), 1e-6);
    EXPECT_NEAR(number("ecc_density") * volume, number("ecc"), 1e-6);
    EXPECT_NEAR(number("volume_density") * volume * 1e9, number("volume"), 1e-6);
    EXPECT_NEAR(number("surface_density") * volume * 1e6, number("surface"), 1e-6);
  }
  EXPECT_DOUBLE_EQ(cell(found, "volume_density").get<double>(), 1.0);
}

TEST_F(Measure, TopologyOfManyFilesIsALineEach) {
  run({"topology", path("a.tif"), "-o", path("t.json"), "--summary"});
  const auto done = run({"run", path("t.json"), path("a.tif"), path("b.tif"), "-o", path("out")});
  EXPECT_EQ(done["failed"], 0);
  const auto all = read_text(path("out/topology_summary.csv"));
  ASSERT_TRUE(all.ok()) << all.error().message();
  EXPECT_EQ(all->rfind("file,size_z (px),size_x (px),size_y (px),thresholds,ecc_most,", 0), 0U)
      << *all;
  EXPECT_EQ(std::count(all->begin(), all->end(), '\n'), 3);
}

// Signed values as microscopes and CT write them: a TIFF of one slice, by hand.
TEST_F(Measure, SignedWholeNumbersAreTheirOwnLevels) {
  const std::vector<std::int16_t> values{-32768, -3, 0, 32767, -3, 5, -1, -32768};
  const std::vector<std::uint32_t> tags[] = {
      {256, 3, 1, 4}, {257, 3, 1, 2}, {258, 3, 1, 16}, {259, 3, 1, 1},  {262, 3, 1, 1},
      {273, 4, 1, 8}, {277, 3, 1, 1}, {278, 3, 1, 2},  {279, 4, 1, 16}, {339, 3, 1, 2}};
  std::string file("II*\0\x18\0\0\0", 8);
  const auto put = [&](std::uint32_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) file += static_cast<char>(value >> (8 * i) & 0xFFU);
  };
  for (const std::int16_t v : values) put(static_cast<std::uint16_t>(v), 2);
  put(10, 2);
  for (const auto& tag : tags) {
    put(tag[0], 2);
    put(tag[1], 2);
    put(tag[2], 4);
    put(tag[3], 4);
  }
  put(0, 4);
  std::ofstream(path("i16.tif"), std::ios::binary) << file;
  for (const char* how : {"--quiet", "--stream"}) {
    std::vector<std::string> words{"topology", path("i16.tif"), "--sets", "sublevel"};
    if (std::string(how) == "--stream") words.emplace_back(how);
    const auto found = run(words);
    const Json& columns = found["measured"][0]["tables"][0]["columns"];
    EXPECT_EQ(columns[0]["cells"], Json({-32768.0, -3.0, -1.0, 0.0, 5.0, 32767.0}));
    EXPECT_EQ(columns[1]["cells"], Json({2, 2, 1, 1, 1, 1}));
    // {≤ −3}: two corners apart, joined by the two of −3 in 8 neighbours: (0,0) (0,1) (1,0) |
    // (1,3).
    EXPECT_EQ(columns[3]["cells"], Json({2, 2, 1, 1, 1, 1}));
  }
}

TEST_F(Measure, TopologyListsPiecesAndTheirNumbers) {
  run({"convert", path("a.tif"), "-o", path("a.apr")});
  run({"reconstruct", path("a.apr"), "-o", path("r.tif")});
  const auto of = [&](const char* file) {
    return run({"topology", path(file), "--persistence", "5"})["measured"][0];
  };
  const Json native = of("a.apr");
  EXPECT_EQ(native["tables"], of("r.tif")["tables"]);
  ASSERT_EQ(native["tables"].size(), 2U);
  // The piece that never ends, and four more.
  const Json& lives = native["tables"][1];
  EXPECT_EQ(lives["id"], "persistence");
  EXPECT_EQ(lives["columns"][1]["id"], "death");
  EXPECT_TRUE(lives["columns"][1]["cells"][0].is_null());
  EXPECT_EQ(lives["columns"][1]["cells"].size(), 5U);
  // Two files: a table each, whose first one has the curves.
  const auto written = run({"topology", path("a.apr"), "-o", path("t.csv"), "--persistence", "5"});
  EXPECT_EQ(written["output"].size(), 2U);
  const auto table = read_text(path("t-topology.csv"));
  const auto pieces = read_text(path("t-persistence.csv"));
  ASSERT_TRUE(table.ok() && pieces.ok());
  EXPECT_EQ(without_comments(*table).rfind("threshold,voxels,vcec,ecc,b0,b1,b2,volume (", 0), 0U)
      << *table;
  EXPECT_EQ(pieces->rfind("birth,death,persistence,z (px),x (px),y (px),at_z (µm),", 0), 0U)
      << *pieces;
  EXPECT_EQ(std::count(pieces->begin(), pieces->end(), '\n'), 6);
}

TEST_F(Measure, ManyFilesComeAsOneTable) {
  run({"statistics", path("a.tif"), "-o", path("m.json")});
  const auto done = run({"run", path("m.json"), path("a.tif"), path("b.tif"), "-o", path("out")});
  EXPECT_EQ(done["failed"], 0);
  const auto all = read_text(path("out/statistics.csv"));
  ASSERT_TRUE(all.ok()) << all.error().message();
  EXPECT_EQ(std::count(all->begin(), all->end(), '\n'), 3);
  EXPECT_NE(all->find("b.tif"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(path("out/a-histogram.csv")));
  EXPECT_FALSE(std::filesystem::exists(path("out/a.tif")));
}

TEST_F(Measure, AComparisonIsARecipeForManyFiles) {
  run({"filter", path("a.tif"), "-o", path("box.tif"), "--stencil", "box:size=3"});
  run({"compare", path("a.tif"), path("b.tif"), "-o", path("m.json")});
  const auto recipe = Json::parse(*read_text(path("m.json")));
  EXPECT_EQ(recipe["steps"][0]["operation"], "compare");
  const auto done = run({"run", path("m.json"), path("b.tif"), path("box.tif"), "-o", path("out")});
  EXPECT_EQ(done["failed"], 0);
  const auto all = read_text(path("out/comparison.csv"));
  ASSERT_TRUE(all.ok()) << all.error().message();
  EXPECT_EQ(std::count(all->begin(), all->end(), '\n'), 3) << *all;
  // The numbers of the command that looks at two files.
  const auto pair = run({"compare", path("a.tif"), path("box.tif")});
  const auto one = run({"run", path("m.json"), path("box.tif"), "-o", path("one.csv")});
  for (const char* id : {"psnr", "ssim", "nrmse", "max_abs_diff"}) {
    EXPECT_EQ(cell(one, id), pair[id]) << id;
  }
  EXPECT_EQ(cell(one, "max_abs_diff_at_z"), pair["max_abs_diff_at"]["z"]);
  EXPECT_EQ(cell(one, "max_abs_diff_at_y"), pair["max_abs_diff_at"]["y"]);
  const ProgramResult both = run_cli(
      {"compare", path("a.tif"), path("b.tif"), "-o", path("m.json"), "--csv", path("c.csv")});
  EXPECT_EQ(both.exit_code, 1);
  EXPECT_TRUE(both.one_line_error()) << both.err;
  EXPECT_EQ(run_cli({"compare", path("a.tif"), path("b.tif"), "-o", path("c.csv")}).exit_code, 2);
}

TEST_F(Measure, WhatCannotBeIsSaidInOneSentence) {
  const ProgramResult outside =
      run_cli({"statistics", path("a.tif"), "--region", "0:13,0:40,0:48"});
  EXPECT_EQ(outside.exit_code, 1);
  EXPECT_TRUE(outside.one_line_error()) << outside.err;
  EXPECT_NE(outside.err.find("reaches out of the image of 12 × 40 × 48"), std::string::npos);
  const ProgramResult ending = run_cli({"statistics", path("a.tif"), "-o", path("s.tif")});
  EXPECT_EQ(ending.exit_code, 2);
  EXPECT_TRUE(ending.one_line_error()) << ending.err;
  // A recipe without a step that measures has nothing for a table.
  run({"filter", path("a.tif"), "--stencil", "box:size=3", "-o", path("f.json")});
  const ProgramResult nothing =
      run_cli({"run", path("f.json"), path("a.tif"), "-o", path("f.csv")});
  EXPECT_EQ(nothing.exit_code, 1);
  EXPECT_TRUE(nothing.one_line_error()) << nothing.err;
  EXPECT_NE(nothing.err.find("no step that measures"), std::string::npos) << nothing.err;
}

}  // namespace
}  // namespace aprscope::test
