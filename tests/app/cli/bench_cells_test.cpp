// What `bench cells` measures, and its page. Seconds are those of the machine; what is looked at is
// that everything is there, and what pages make of it.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "app/cli/bench/bench_cells_masks.hpp"
#include "app/cli/bench/bench_cells_page.hpp"
#include "app/cli/bench/bench_cells_tissue.hpp"
#include "core/base/system.hpp"
#include "tests/app/cli/chain_fixture.hpp"

namespace aprscope::test {
namespace {

using Json = nlohmann::ordered_json;

// "case: op, of, mode" of each row, in order.
std::vector<std::string> titles(const nlohmann::json& report) {
  std::vector<std::string> all;
  for (const auto& row : report["rows"]) {
    all.push_back(row["case"].get<std::string>() + ": " + row["op"].get<std::string>() + ", " +
                  row["stencil"].get<std::string>() + ", " + row["mode"].get<std::string>());
  }
  return all;
}

std::size_t lines_with(const std::string& page, const std::string& words) {
  std::size_t count = 0;
  for (auto at = page.find(words); at != std::string::npos; at = page.find(words, at + 1)) ++count;
  return count;
}

// What is done to an image or to its particles (`of`), and to its mask.
std::vector<std::string> components(const std::string& name, const std::string& of,
                                    const std::string& mask) {
  return {name + ": threshold, " + of + ", otsu", name + ": label, " + mask + ", 6",
          name + ": label, " + mask + ", 26"};
}
std::vector<std::string> filling(const std::string& name, const std::string& of) {
  return {name + ": fill_exterior, " + of + ", otsu",
          name + ": cells, " + of + ", of fill_exterior"};
}
std::vector<std::string> basins(const std::string& name, const std::string& of) {
  return {
      name + ": watershed, " + of + ", not smoothed", name + ": watershed, " + of + ", automatic",
      name + ": cells, " + of + ", of watershed",     name + ": correct, " + of + ", merge",
      name + ": slider, " + of + ", merge",           name + ": slider, " + of + ", depth"};
}
void append(std::vector<std::string>& all, const std::vector<std::string>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

using BenchCells = Chain;

TEST_F(BenchCells, MasksStepsAndSlidersStandOnThePage) {
  const auto report = run({"bench", "cells", "--kind", "cells", "--size", "16,48,48", "--repeats",
                           "1", "--page", path("cells.md")});
  std::vector<std::string> expected;
  for (const char* mask :
       {"noise 10 %", "noise 30 %", "noise 50 %", "noise 90 %", "smooth", "walls"}) {
    for (const char* mode : {"6", "18", "26"}) {
      expected.push_back(std::string(mask) + ": label, u8, " + mode);
    }
  }
  for (const char* of : {"distance, u8, -", "fill, u8, 3-D", "fill, u8, slices", "close, u8, 3 px",
                         "leaks, u8, -"}) {
    expected.push_back(std::string("walls: ") + of);
  }
  append(expected, components("cells", "u16 pixels", "u8 pixels"));
  append(expected, filling("cells", "u16 pixels"));
  append(expected, components("cells", "particles", "particles"));
  append(expected, filling("cells", "particles"));
  for (const char* of : {"u16 pixels", "particles"}) {
    append(expected, filling("tissue", of));
    append(expected, basins("tissue", of));
  }
  EXPECT_EQ(titles(report), expected);
  for (const auto& row : report["rows"]) {
    EXPECT_GT(row["seconds_median"].get<double>(), 0.0);
    EXPECT_LE(row["seconds_min"].get<double>(), row["seconds_median"].get<double>());
    EXPECT_EQ(row["pixels"], 16 * 48 * 48);
    // Those of particles are relative to the pixels of the same image.
    const bool particles = row["stencil"] == "particles";
    EXPECT_EQ(row["ratio_to_pixels"].is_number(), particles) << row;
    EXPECT_EQ(row["computational_ratio"].is_number(), particles) << row;
  }
  EXPECT_EQ(report["checksums"].size(), 6U);

  const std::string page = bytes_of(path("cells.md"));
  EXPECT_EQ(page.rfind("# Benchmark: cells\n", 0), 0U);
  EXPECT_NE(page.find("aprscope-cli bench cells --kind cells --size 16,48,48 --repeats 1\n"),
            std::string::npos);
  EXPECT_EQ(lines_with(page, "\n| cells | "), 10U);
  EXPECT_EQ(lines_with(page, "\n| tissue | "), 16U);
  EXPECT_EQ(lines_with(page, " | u8 | "), 23U);
  // Four of labels, two of watershed on pixels; sliders and corrections on both.
  const std::string goals = page.substr(page.find("\n## Goals\n"));
  EXPECT_EQ(lines_with(goals, " %"), 10U + 2U) << goals;
  EXPECT_NE(goals.find("| noise 50 %, label, u8, 26, ms | "), std::string::npos) << goals;
}

TEST_F(BenchCells, AMaskIsLabelledAndAnyOtherInputIsSegmented) {
  synthesize("a.tif");
  run({"threshold", path("a.tif"), "-o", path("mask.tif")});
  run({"convert", path("a.tif"), "-o", path("a.apr"), "--no-error-report"});
  const auto report = run(
      {"bench", "cells", "--input", path("mask.tif"), "--input", path("a.apr"), "--repeats", "1"});
  const std::vector<std::string> all = titles(report);
  const std::vector<std::string> first(all.begin(), all.begin() + 3);
  EXPECT_EQ(first, (std::vector<std::string>{"mask: label, u8, 6", "mask: label, u8, 18",
                                             "mask: label, u8, 26"}));
  // By the connectivity, as those who compare with other programs read them.
  ASSERT_EQ(report["checksums"].size(), 1U);
  EXPECT_TRUE(report["checksums"]["mask"].contains("6"));
  EXPECT_TRUE(report["checksums"]["mask"].contains("26"));
  const std::set<std::string> found(all.begin(), all.end());
  EXPECT_EQ(found.count("mask: leaks, u8, -"), 1U);
  EXPECT_EQ(found.count("mask: watershed, u8 pixels, automatic"), 0U);
  // Its ground would be a cell between bright walls.
  EXPECT_EQ(found.count("a: watershed, u16 pixels, automatic, dark walls"), 1U);
  EXPECT_EQ(found.count("a: watershed, particles, automatic, dark walls"), 1U);
  EXPECT_EQ(found.count("a: label, u8 pixels, 26"), 1U);
  EXPECT_EQ(found.count("a: label, u8, 6"), 0U);
}

TEST(BenchCellsMasks, AreWhatTheirNamesSay) {
  const Size3 size{20, 50, 44};
  for (const int percent : {10, 90}) {
    const auto noise = cli::noise_mask(size, percent);
    EXPECT_EQ(noise.name, "noise " + std::to_string(percent) + " %");
    const auto set = std::count(noise.mask.values.begin(), noise.mask.values.end(), 1);
    EXPECT_NEAR(static_cast<double>(set) / static_cast<double>(size.count()), percent / 100.0,
                0.01);
  }
  const auto walls = cli::wall_mask(size);
  EXPECT_EQ(walls.mask.at(2, 20, 20), 1);
  EXPECT_EQ(walls.mask.at(3, 3, 3), 0);
  EXPECT_EQ(walls.mask.at(3, 3, 43), 1);

  Volume volume;
  volume.pixels = Pixels<float>(Size3{1, 1, 3});
  auto& values = std::get<Pixels<float>>(volume.pixels).values;
  EXPECT_TRUE(cli::is_mask(volume));
  values = {0.0F, 255.0F, 255.0F};
  EXPECT_TRUE(cli::is_mask(volume));
  EXPECT_EQ(cli::mask_of("m", volume).mask.values, (std::vector<std::uint8_t>{0, 1, 1}));
  values = {0.0F, 255.0F, 1.0F};
  EXPECT_FALSE(cli::is_mask(volume));
}

TEST(BenchCellsTissue, HasBrightWallsAndTheSameBytesEachTime) {
  const auto volume = cli::tissue_image({40, 70, 64}, {});
  ASSERT_TRUE(volume);
  const auto& pixels = std::get<Pixels<std::uint16_t>>(volume->pixels);
  // Light of the insides is 20 counts, that of walls 220.
  const auto bright = [](std::uint16_t v) { return v > 120; };
  const auto walls = std::count_if(pixels.values.begin(), pixels.values.end(), bright);
  EXPECT_GT(walls, pixels.size.count() / 20);
  EXPECT_LT(walls, pixels.size.count() / 3);
  std::vector<std::uint16_t> sorted = pixels.values;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_NEAR(sorted[sorted.size() / 4], 20, 4);
  EXPECT_NEAR(sorted[sorted.size() - sorted.size() / 200], 240, 20);
  const int before = thread_count();
  set_thread_count(1);
  const auto again = cli::tissue_image({40, 70, 64}, {});
  set_thread_count(before);
  ASSERT_TRUE(again);
  EXPECT_EQ(std::get<Pixels<std::uint16_t>>(again->pixels).values, pixels.values);
}

Json report_of(bool on_device) {
  Json report;
  Json& machine = report["machine"];
  machine = {{"cpu", "CPU"}, {"device", "it"}, {"cores", 2}, {"commit", "c"}};
  if (on_device) {
    machine["gpu"] = {{"name", "GPU"}, {"driver_cuda", "1"}, {"runtime_cuda", "1"}};
  }
  report["rows"] = Json::array();
  return report;
}

// Of 256³, an eighth of what goals are for.
Json& add_row(Json& report, const char* op, const char* of, const char* mode, double seconds) {
  report["rows"].push_back({{"case", "x"},
                            {"op", op},
                            {"stencil", of},
                            {"mode", mode},
                            {"seconds_median", seconds},
                            {"seconds_min", seconds / 2.0},
                            {"pixels", 256 * 256 * 256},
                            {"particles_per_second", nullptr},
                            {"computational_ratio", nullptr},
                            {"ratio_to_pixels", nullptr},
                            {"peak_bytes", nullptr}});
  return report["rows"].back();
}

Json& add_particles(Json& report, const char* op, double seconds, double cr, double ratio) {
  Json& row = add_row(report, op, "particles", "m", seconds);
  row["particles_per_second"] = 1e6;
  row["computational_ratio"] = cr;
  row["ratio_to_pixels"] = ratio;
  return row;
}

TEST(BenchCellsPage, GoalsAreScaledToTheImage) {
  Json report = report_of(false);
  add_row(report, "slider", "u16 pixels", "merge", 0.025);
  add_row(report, "slider", "u16 pixels", "depth", 0.025);
  add_row(report, "watershed", "u16 pixels", "m", 0.5);
  const std::string page = cli::cells_page(report, "command");
  EXPECT_NE(page.find("| x, slider, u16 pixels, merge, ms | 12.5 | 25.0 | 50 % | 12.5 |\n"),
            std::string::npos)
      << page;
  EXPECT_EQ(page.find("depth, ms"), std::string::npos) << page;
  EXPECT_NE(page.find("| x, watershed, u16 pixels, m, MVoxel/s | 30.0 | 33.6 | 112 % | 67.1 |\n"),
            std::string::npos)
      << page;
}

TEST(BenchCellsPage, ParticlesHaveGoalsWhereTheyAreFew) {
  for (const double cr : {19.0, 21.0}) {
    Json report = report_of(false);
    add_row(report, "fill_exterior", "u16 pixels", "m", 0.5)["peak_bytes"] = 60'000'000;
    add_particles(report, "fill_exterior", 0.1, cr, 5.0)["peak_bytes"] = 10'000'000;
    add_particles(report, "cells", 0.1, cr, 5.0);
    const std::string page = cli::cells_page(report, "command");
    EXPECT_EQ(page.find("## Goals") != std::string::npos, cr > 20.0);
    if (cr < 20.0) continue;
    const std::string row = "\n| x, fill_exterior, particles, m";
    EXPECT_NE(page.find(row + " ÷ pixels | 10.0 | 5.00 | 50 % |  |\n"), std::string::npos) << page;
    EXPECT_NE(page.find(row + ", memory of pixels ÷ memory | 5.00 | 6.00 | 120 % |  |\n"),
              std::string::npos)
        << page;
    EXPECT_EQ(page.find("\n| x, cells"), std::string::npos) << page;
  }
}

TEST(BenchCellsPage, OnADeviceTheSlowestMaskCounts) {
  Json report = report_of(true);
  add_row(report, "labels 6", "smooth", "-", 0.0001);
  add_row(report, "labels 6", "noise 50 %", "-", 0.002)["pixels"] = 512 * 512 * 512;
  add_row(report, "labels 18", "noise 50 %", "-", 0.1);
  // As fast as a processor is to be.
  add_row(report, "watershed", "u16 pixels", "m", 0.5);
  const std::string page = cli::cells_page(report, "command");
  const std::string goals = page.substr(page.find("## Goals"));
  EXPECT_NE(goals.find("| x, labels 6, noise 50 %, ms | 2.50 | 2.00 | 125 % | 1.00 |\n"),
            std::string::npos)
      << goals;
  EXPECT_EQ(lines_with(goals, "\n| x, "), 1U) << goals;
}

}  // namespace
}  // namespace aprscope::test
