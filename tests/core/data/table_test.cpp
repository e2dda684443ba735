#include "core/data/table.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "core/data/curve.hpp"
#include "core/data/measurement.hpp"

namespace aprscope {
namespace {

Table cells() {
  Table table{"cells", "Cells", {}};
  table.columns.push_back({"name", "Name", "", std::vector<std::string>{"a, b", "=1+1"}});
  table.columns.push_back({"count", "Count", "", std::vector<std::int64_t>{-3, 1234567890123}});
  table.columns.push_back({"volume", "Volume", "µm³", std::vector<double>{0.1, std::nan("")}});
  return table;
}

TEST(Table, BecomesTheCsvThatSpreadsheetsTake) {
  EXPECT_EQ(to_csv(cells()),
            "name,count,volume (µm³)\n"
            "\"a, b\",-3,0.1\n"
            "\"'=1+1\",1234567890123,\n");
}

TEST(Table, FindsItsColumns) {
  const Table table = cells();
  EXPECT_EQ(table.rows(), 2U);
  ASSERT_NE(table.column("volume"), nullptr);
  EXPECT_EQ(head_of(*table.column("volume")), "Volume (µm³)");
  EXPECT_EQ(head_of(*table.column("count")), "Count");
  EXPECT_EQ(table.column("Volume"), nullptr);
  EXPECT_EQ(Table().rows(), 0U);
}

TEST(Curve, IsATableOfItsPoints) {
  Curve curve;
  curve.id = "histogram";
  curve.x = {"value", "Grey value", "", {1, 2}};
  curve.ys = {{"pixels", "Pixels", "", {5, 0.5}}, {"share", "Share", "%", {std::nan(""), 7}}};
  EXPECT_EQ(to_csv(table_of(curve)), "value,pixels,share (%)\n1,5,\n2,0.5,7\n");
}

TEST(Measurement, IsItsCurvesAndItsTables) {
  Measurement measurement;
  Curve curve;
  curve.id = "histogram";
  curve.x = {"value", "Grey value", "", {1, 2, 3}};
  measurement.curves = {curve};
  measurement.tables = {cells()};
  const auto all = all_tables(measurement);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].id, "histogram");
  EXPECT_EQ(to_csv(all[1]), to_csv(cells()));
  EXPECT_GE(measurement.bytes(), 3 * sizeof(double) + 4 * sizeof(double));
}

}  // namespace
}  // namespace aprscope
