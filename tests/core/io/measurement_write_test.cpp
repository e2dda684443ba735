#include "core/io/measurement_write.hpp"

#include <array>
#include <cmath>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/atomic_file.hpp"
#include "tests/support/paths.hpp"

namespace aprscope {
namespace {

using Shared = std::shared_ptr<const Measurement>;

Table table(const std::string& id, std::vector<double> cells) {
  return {id, "Table", {{"value", "Value", "µm", std::move(cells)}}};
}

Shared measurement() {
  Measurement made;
  made.name = "cells";
  made.history = {"statistics bins=256 [cpu]"};
  Curve curve;
  curve.id = "histogram";
  curve.label = "Histogram";
  curve.x = {"value", "Grey value", "", {0, 1}};
  curve.ys = {{"pixels", "Pixels", "", {2, std::nan("")}}};
  curve.marks = {{0.5, "mean"}};
  made.curves = {curve};
  made.tables = {table("statistics", {1.5})};
  return std::make_shared<const Measurement>(made);
}

TEST(MeasurementJson, HasEveryNumberAndNullForWhatIsUnknown) {
  const auto json = nlohmann::json::parse(to_json(*measurement()));
  EXPECT_EQ(json["name"], "cells");
  EXPECT_EQ(json["history"][0], "statistics bins=256 [cpu]");
  EXPECT_EQ(json["curves"][0]["x"]["values"], (nlohmann::json{0.0, 1.0}));
  EXPECT_EQ(json["curves"][0]["ys"][0]["values"][0], 2.0);
  EXPECT_TRUE(json["curves"][0]["ys"][0]["values"][1].is_null());
  EXPECT_EQ(json["curves"][0]["marks"][0]["words"], "mean");
  EXPECT_EQ(json["tables"][0]["columns"][0]["unit"], "µm");
  EXPECT_EQ(json["tables"][0]["columns"][0]["cells"][0], 1.5);
}

TEST(TableFiles, HaveTheNameOfTheOneOrOfEach) {
  Measurement one;
  one.tables = {table("cells", {1})};
  const auto single =
      table_files(std::array{Shared(std::make_shared<Measurement>(one))}, "x/a.csv");
  ASSERT_EQ(single.size(), 1U);
  EXPECT_EQ(single[0].path, "x/a.csv");
  const auto several = table_files(std::array{measurement(), measurement()}, "x/a.b.CSV");
  ASSERT_EQ(several.size(), 4U);
  EXPECT_EQ(several[0].path, "x/a.b-histogram.CSV");
  EXPECT_EQ(several[1].path, "x/a.b-statistics.CSV");
  EXPECT_EQ(several[2].path, "x/a.b-histogram-2.CSV");
  EXPECT_EQ(several[3].path, "x/a.b-statistics-2.CSV");
}

TEST(TableFiles, AreWrittenOrSayWhyNot) {
  const test::TemporaryFolder folder;
  const auto files = table_files(std::array{measurement()}, folder / "a.csv");
  ASSERT_TRUE(write_tables(files).ok());
  EXPECT_EQ(*read_text(folder / "a-statistics.csv"), "value (µm)\n1.5\n");
  const Status missing =
      write_tables(table_files(std::array{measurement()}, folder / "no" / "a.csv"));
  ASSERT_FALSE(missing.ok());
  EXPECT_NE(missing.error().message().find("no"), std::string::npos);
}

TEST(Stacked, PutsRowsBelowEachOtherWithWhereTheyAreFrom) {
  const Table all =
      stacked({{"a.tif", table("t", {1, 2})}, {"b.tif", table("t", {3})}}, "file", "File");
  EXPECT_EQ(to_csv(all), "file,value (µm)\na.tif,1\na.tif,2\nb.tif,3\n");
  // In other units, or with other columns, they are no one table.
  Table other = table("t", {3});
  other.columns[0].unit = "px";
  EXPECT_TRUE(stacked({{"a", table("t", {1})}, {"b", other}}, "file", "File").columns.empty());
  EXPECT_TRUE(stacked({}, "file", "File").columns.empty());
}

}  // namespace
}  // namespace aprscope
