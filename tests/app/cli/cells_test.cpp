// Cells by the real program: labels, tables, comparison, recipes, many files.
#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "core/base/atomic_file.hpp"
#include "core/io/label_read.hpp"
#include "core/io/write.hpp"
#include "tests/app/cli/chain_fixture.hpp"

namespace aprscope::test {
namespace {

using Json = nlohmann::json;

constexpr Size3 kSize{10, 24, 33};

// Bright walls round rooms of 10 × 11 × 10 pixels and dark ones within, none at the border of x.
Volume rooms() {
  Pixels<std::uint16_t> pixels(kSize);
  for (std::int64_t z = 0; z < kSize.z; ++z) {
    for (std::int64_t x = 0; x < kSize.x; ++x) {
      for (std::int64_t y = 0; y < kSize.y; ++y) {
        pixels.at(z, x, y) = x % 12 == 0 || y % 11 == 0 ? 900 : 100;
      }
    }
  }
  Volume out;
  out.pixels = std::move(pixels);
  out.voxel = {2.0, 0.5, 0.5, "µm"};
  return out;
}

class CellsCommand : public Chain {
 protected:
  void SetUp() override { ASSERT_TRUE(write_tiff(rooms(), path("a.tif")).ok()); }

  Labels labels(const std::string& name) {
    const auto read = read_labels(path(name), kSize);
    EXPECT_TRUE(read.ok()) << read.error().message();
    return read.ok() ? *read : Labels{};
  }
  void expect_refused(const std::vector<std::string>& arguments, int code,
                      const std::string& words) {
    const ProgramResult done = run_cli(arguments);
    EXPECT_EQ(done.exit_code, code) << done.out;
    EXPECT_TRUE(done.one_line_error()) << done.err;
    EXPECT_NE(done.err.find(words), std::string::npos) << done.err;
  }
  static std::vector<std::string> watershed() {
    return {"--smooth", "0", "--depth", "50", "--merge", "0"};
  }
  std::vector<std::string> with(std::vector<std::string> first,
                                const std::vector<std::string>& more) {
    first.insert(first.end(), more.begin(), more.end());
    return first;
  }
};

TEST_F(CellsCommand, FindsRoomsAndWritesLabelsAndTable) {
  const auto done =
      run(with({"cells", path("a.tif"), "-o", path("l.tif"), "--csv", path("t.csv")}, watershed()));
  EXPECT_EQ(done["cells"], 6);
  // Each voxel belongs to a cell.
  EXPECT_DOUBLE_EQ(done["volume"].get<double>(), 10 * 24 * 33 * 0.5);
  EXPECT_EQ(done["volume_unit"], "µm³");
  EXPECT_EQ(done["flagged"], 6);
  EXPECT_EQ(done["flags"]["border"], 6);
  const Labels found = labels("l.tif");
  EXPECT_EQ(found.largest, 6U);
  EXPECT_EQ(found.values[0 * 33 + 5], found.values[(9 * 24 + 11) * 33 + 9]);
  EXPECT_NE(found.values[5 * 33 + 5], found.values[15 * 33 + 5]);
  const auto table = read_text(path("t.csv"));
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(table->rfind("label,volume (µm³),flags,", 0), 0U) << *table;
  EXPECT_EQ(std::count(table->begin(), table->end(), '\n'), 7);
  EXPECT_FALSE(std::filesystem::exists(path("t-contacts.csv")));
  const ProgramResult text = run_cli(with({"cells", path("a.tif")}, watershed()));
  EXPECT_NE(text.out.find("6 cells, 3960 µm³, 6 flagged (6 border)"), std::string::npos)
      << text.out;
}

TEST_F(CellsCommand, OtherMethodsFindWhatIsInside) {
  // Without walls above and below all leaks in 3-D, which is said, and nothing slice by slice.
  const auto open = run({"cells", path("a.tif"), "--method", "fill", "--threshold", "500"});
  EXPECT_EQ(open["cells"], 1);
  EXPECT_DOUBLE_EQ(open["volume"].get<double>(), 10 * (2 * 33 + 22 * 3) * 0.5);
  EXPECT_EQ(open["flags"]["open"], 1);
  const auto filled = run({"cells", path("a.tif"), "--method", "fill", "--threshold", "500",
                           "--per-slice", "--lumens", "--csv", path("f.csv"), "--contacts"});
  EXPECT_GE(filled["cells"], 2);
  EXPECT_NE(filled["steps"][0].get<std::string>().find("value=500"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(path("f-slices.csv")));
  EXPECT_TRUE(std::filesystem::exists(path("f-contacts.csv")));
  const auto dark = run({"cells", path("a.tif"), "--method", "label", "--threshold", "500",
                         "--dark", "-o", path("d.tif")});
  EXPECT_EQ(dark["cells"], 6);
  EXPECT_EQ(labels("d.tif").values[5 * 33 + 5], labels("d.tif").values[(24 + 6) * 33 + 6]);
  const auto kept = run({"cells", path("a.tif"), "--method", "label", "--threshold", "otsu",
                         "--dark", "--drop-border"});
  EXPECT_EQ(kept["cells"], 0);
  const auto seeded =
      run({"cells", path("a.tif"), "--method", "seeds", "--seeds", "2,5,5; 2,18,5"});
  EXPECT_EQ(seeded["cells"], 2);
}

TEST_F(CellsCommand, LabelsMadeElsewhereAreOnlyMeasured) {
  Labels large = [] {
    Labels all;
    all.values.assign(static_cast<std::size_t>(kSize.count()), 0);
    for (std::size_t i = 0; i < 50; ++i) all.values[i] = 70000;
    for (std::size_t i = 1000; i < 1010; ++i) all.values[i] = 3;
    all.largest = 70000;
    return all;
  }();
  ASSERT_TRUE(write_labels(large, {kSize, {1, 1, 1, "px"}}, path("l.tif")).ok());
  const auto done = run({"cells", "--labels", path("l.tif"), path("a.tif"), "--csv", path("t.csv"),
                         "-o", path("again.tif")});
  EXPECT_EQ(done["cells"], 2);
  EXPECT_DOUBLE_EQ(done["volume"].get<double>(), 60 * 0.5);
  const auto table = read_text(path("t.csv"));
  ASSERT_TRUE(table.ok());
  EXPECT_NE(table->find("\n70000,25,"), std::string::npos) << *table;
  EXPECT_EQ(labels("again.tif"), large);
  // By themselves; and without small ones, which leaves numbers as they are.
  EXPECT_EQ(run({"cells", "--labels", path("l.tif")})["cells"], 2);
  run({"cells", "--labels", path("l.tif"), path("a.tif"), "--min-volume", "10", "-o",
       path("few.tif")});
  EXPECT_EQ(labels("few.tif").values[0], 70000U);
  EXPECT_EQ(labels("few.tif").values[1000], 0U);
}

TEST_F(CellsCommand, AgreementIsOneWithItself) {
  run(with({"cells", path("a.tif"), "-o", path("l.tif")}, watershed()));
  const auto same = run({"cells", "--truth", path("l.tif"), path("l.tif")});
  EXPECT_EQ(same["truths"], 6);
  EXPECT_EQ(same["mean_best_iou"], 1.0);
  EXPECT_EQ(same["iou_75"]["f1"], 1.0);
  EXPECT_EQ(same["variation_of_information"], 0.0);
  // What is found at once.
  const auto found = run(with(
      {"cells", path("a.tif"), "--method", "watershed", "--truth", path("l.tif")}, watershed()));
  EXPECT_EQ(found["cells"], 6);
  EXPECT_EQ(found["mean_best_iou"], 1.0);
  // Two of six run together.
  Labels merged = labels("l.tif");
  for (std::uint32_t& label : merged.values) label = label == 2 ? 1 : label;
  ASSERT_TRUE(write_labels(merged, {kSize, {}}, path("m.tif")).ok());
  const auto worse = run({"cells", "--truth", path("l.tif"), path("m.tif")});
  EXPECT_LT(worse["mean_best_iou"].get<double>(), 1.0);
  EXPECT_EQ(worse["split_bits"], 0.0);
  EXPECT_GT(worse["merge_bits"].get<double>(), 0.0);
  const ProgramResult text = run_cli({"cells", "--truth", path("l.tif"), path("m.tif")});
  EXPECT_NE(text.out.find("mean best iou: "), std::string::npos) << text.out;
}

TEST_F(CellsCommand, ParticlesKeepTheirLabels) {
  run({"convert", path("a.tif"), "-o", path("a.apr")});
  const auto native =
      run(with({"cells", path("a.apr"), "-o", path("l.apr"), "--csv", path("n.csv")}, watershed()));
  EXPECT_EQ(native["cells"], 6);
  run(with({"cells", path("a.apr"), "-o", path("n.tif")}, watershed()));
  const auto kept = run({"cells", path("l.apr"), "--method", "kept", "-o", path("k.tif")});
  EXPECT_EQ(kept["cells"], 6);
  EXPECT_EQ(kept["volume"], native["volume"]);
  expect_same_bytes("n.tif", "k.tif");
  const auto pixels =
      run(with({"cells", path("a.apr"), "--as-pixels", "-o", path("p.tif")}, watershed()));
  EXPECT_EQ(pixels["cells"], 6);
  EXPECT_EQ(pixels["volume"], native["volume"]);
  // Labels of pixels over particles.
  const auto over = run({"cells", "--labels", path("n.tif"), path("a.apr"), "-o", path("o.tif")});
  EXPECT_EQ(over["cells"], 6);
  expect_same_bytes("n.tif", "o.tif");
  expect_refused(with({"cells", path("a.tif"), "-o", path("x.apr")}, watershed()), 1,
                 "pixel image");
  expect_refused({"cells", path("a.tif"), "--method", "kept"}, 1, "no labels");
}

TEST_F(CellsCommand, ARecipeWithCorrectionsGivesTheSameBytes) {
  run(with({"cells", path("a.tif"), "-o", path("r.json")}, watershed()));
  Json recipe = Json::parse(*read_text(path("r.json")));
  ASSERT_EQ(recipe["steps"].size(), 2U);
  run({"run", path("r.json"), path("a.tif"), "-o", path("one.tif")});
  run(with({"cells", path("a.tif"), "-o", path("two.tif")}, watershed()));
  expect_same_bytes("one.tif", "two.tif");
  const Json merge = {{"operation", "correct"},
                      {"parameters", {{"action", "merge"}, {"points", "2,5,5; 2,18,5"}}}};
  recipe["steps"].insert(recipe["steps"].begin() + 1, merge);
  ASSERT_TRUE(write_text_atomically(path("c.json"), recipe.dump()).ok());
  const auto first = run({"run", path("c.json"), path("a.tif"), "-o", path("c.tif")});
  run({"run", path("c.json"), path("a.tif"), "-o", path("c2.tif"), "--threads", "1"});
  expect_same_bytes("c.tif", "c2.tif");
  const Labels corrected = labels("c.tif");
  EXPECT_EQ(corrected.values[(2 * 24 + 5) * 33 + 5], corrected.values[(2 * 24 + 18) * 33 + 5]);
  EXPECT_EQ(first["measured"][0]["tables"][1]["columns"][0]["cells"][0], 5);
  // In a folder, beside the tables.
  run({"run", path("c.json"), path("a.tif"), "-o", path("out/")});
  EXPECT_TRUE(bytes_of(path("out/a-labels.tif")) == bytes_of(path("c.tif")));
  // A step after them makes data again.
  recipe["steps"].push_back({{"operation", "box"}, {"parameters", Json::object()}});
  ASSERT_TRUE(write_text_atomically(path("b.json"), recipe.dump()).ok());
  run({"run", path("b.json"), path("a.tif"), "-o", path("b.tif")});
  EXPECT_NE(run({"info", path("b.tif")})["dtype"], "u16");
  EXPECT_EQ(run({"info", path("c.tif")})["dtype"], "u16");
}

TEST_F(CellsCommand, ManyFilesComeAsOneTable) {
  std::filesystem::copy_file(path("a.tif"), path("b.tif"));
  ASSERT_TRUE(write_text_atomically(path("broken.tif"), "no picture").ok());
  const auto done =
      run(with({"cells", path("a.tif"), path("b.tif"), "--csv", path("all.csv"), "-o", path("out")},
               watershed()));
  EXPECT_EQ(done["failed"], 0);
  EXPECT_EQ(done["rows"][1]["cells"], 6);
  const auto table = read_text(path("all.csv"));
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(table->rfind("file,label,volume (µm³),flags,", 0), 0U) << *table;
  EXPECT_EQ(std::count(table->begin(), table->end(), '\n'), 13);
  EXPECT_TRUE(bytes_of(path("out/a-labels.tif")) == bytes_of(path("out/b-labels.tif")));
  // One that fails does not stop the others.
  const ProgramResult part = run_cli(
      with({"cells", path("broken.tif"), path("b.tif"), "--csv", path("part.csv")}, watershed()));
  EXPECT_EQ(part.exit_code, 1);
  EXPECT_NE(part.err.find("1 of 2 files failed"), std::string::npos) << part.err;
  EXPECT_EQ(std::count_if(part.out.begin(), part.out.end(), [](char c) { return c == '\n'; }) > 2,
            true);
  EXPECT_TRUE(std::filesystem::exists(path("part.csv")));
}

TEST_F(CellsCommand, WhatCannotBeIsSaidInOneSentence) {
  expect_refused({"cells", path("a.tif"), "--close", "3"}, 2, "--close");
  expect_refused({"cells", path("a.tif"), "--threshold", "3"}, 2, "--threshold");
  expect_refused({"cells", path("a.tif"), "--method", "fill", "--threshold", "otsu:3"}, 2, "otsu");
  expect_refused({"cells", path("a.tif"), "--method", "fill", "--threshold", "magic"}, 2, "magic");
  expect_refused({"cells", path("a.tif"), "--method", "magic"}, 2, "watershed");
  expect_refused({"cells", path("a.tif"), "--method", "seeds"}, 2, "--seeds");
  expect_refused({"cells", path("a.tif"), "--method", "fill", "--labels", path("a.tif")}, 2,
                 "--labels");
  expect_refused({"cells", path("a.tif"), "-o", path("a.png")}, 2, "a.png");
  expect_refused({"cells", path("a.tif"), "--csv", path("a.txt")}, 2, "a.txt");
  expect_refused({"cells"}, 2, "IN");
  expect_refused({"cells", path("a.tif"), "-o", path("a.tif")}, 1, "replaced");
  run({"synth", "cells", "-o", path("s.tif"), "--size", "9,24,33"});
  expect_refused({"cells", "--labels", path("s.tif"), path("a.tif")}, 1, "9 × 24 × 33");
  expect_refused({"cells", "--labels", path("s.tif"), path("a.tif")}, 1, "10 × 24 × 33");
  expect_refused({"cells", "--labels", path("none.tif"), path("a.tif")}, 1, "none.tif");
  expect_refused({"cells", "--truth", path("s.tif"), path("a.tif")}, 1, "9 × 24 × 33");
}

TEST_F(CellsCommand, SaysWhatToTryWhereTheBackgroundBecameACell) {
  run({"synth", "cells", "-o", path("nuclei.tif"), "--size", "16,64,64"});
  const auto report = run({"cells", path("nuclei.tif")});
  EXPECT_GT(report["background_share"].get<double>(), 0.5);
  EXPECT_NE(report["try"].get<std::string>().find("--method distance"), std::string::npos);
  const auto tried = run({"cells", path("nuclei.tif"), "--method", "distance"});
  EXPECT_FALSE(tried.contains("background_share") || tried.contains("try"));
  const auto walls = run(with({"cells", path("a.tif")}, watershed()));
  EXPECT_FALSE(walls.contains("background_share") || walls.contains("try"));
}

TEST_F(CellsCommand, WallsAreColumnsOfBothTables) {
  run(with({"cells", path("a.tif"), "--walls", "--contacts", "--csv", path("w.csv")}, watershed()));
  const auto head = [&](const char* name) {
    const auto text = read_text(path(name));
    EXPECT_TRUE(text.ok());
    return text->substr(0, text->find('\n'));
  };
  EXPECT_NE(head("w.csv").find(",wall_median,"), std::string::npos);
  EXPECT_NE(head("w-contacts.csv").find(",weakest_z (px),"), std::string::npos);
}

}  // namespace
}  // namespace aprscope::test
