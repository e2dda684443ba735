#include "core/data/paired.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

Measurement with_curve(const std::string& name, CurveShape shape, std::vector<double> x,
                       std::vector<double> y, const std::string& in_table = "t") {
  Curve curve;
  curve.id = "ecc";
  curve.label = "Euler characteristic";
  curve.shape = shape;
  curve.x = {"threshold", "Threshold", "", std::move(x)};
  curve.ys = {{"ecc", "Euler characteristic", "", std::move(y)}};
  curve.in_table = in_table;
  Measurement out;
  out.name = name;
  if (!in_table.empty()) {
    out.tables.push_back(table_of(curve));
    out.tables.back().id = in_table;
  }
  out.curves.push_back(std::move(curve));
  return out;
}

const std::vector<double>& cells(const Table& table, const std::string& id) {
  return std::get<std::vector<double>>(table.column(id)->cells);
}

TEST(Paired, SuperlevelSetsAreThoseOfTheNextLevel) {
  // From 20 on the first is empty, from 30 on the second.
  const auto both = paired(with_curve("a", CurveShape::steps_before, {10, 20}, {5, 2}),
                           with_curve("b", CurveShape::steps_before, {5, 15, 30}, {7, 4, 1}));
  ASSERT_EQ(both.curves.size(), 1U);
  const Curve& curve = both.curves.front();
  EXPECT_EQ(curve.x.values, (std::vector<double>{5, 10, 15, 20, 30}));
  ASSERT_EQ(curve.ys.size(), 2U);
  EXPECT_EQ(curve.ys[0].values, (std::vector<double>{5, 5, 2, 2, 0}));
  EXPECT_EQ(curve.ys[1].values, (std::vector<double>{7, 4, 4, 1, 1}));
  EXPECT_EQ(curve.ys[0].label, "a");
  EXPECT_EQ(curve.ys[1].label, "b");
  // |−1| over 5 … 10, 2 over 10 … 15, 1 over 15 … 20, 1 over 20 … 30.
  EXPECT_EQ(both.notes.back(),
            "Euler characteristic: differs by up to 2 (at 5), area between the curves 30");
  ASSERT_EQ(both.tables.size(), 3U);
  EXPECT_EQ(curve.in_table, both.tables.front().id);
  EXPECT_EQ(cells(both.tables.front(), "difference"), (std::vector<double>{2, -1, 2, -1, 1}));
  EXPECT_EQ(both.tables[1].id, "t");
  EXPECT_EQ(both.tables[2].id, "t_second");
}

TEST(Paired, SublevelSetsAreThoseOfTheLevelBefore) {
  const auto both = paired(with_curve("a", CurveShape::steps, {10, 20}, {5, 2}),
                           with_curve("a", CurveShape::steps, {15}, {4}));
  const Curve& curve = both.curves.front();
  EXPECT_EQ(curve.x.values, (std::vector<double>{10, 15, 20}));
  EXPECT_EQ(curve.ys[0].values, (std::vector<double>{5, 5, 2}));
  EXPECT_EQ(curve.ys[1].values, (std::vector<double>{0, 4, 4}));
  EXPECT_EQ(curve.ys[1].label, "a (second)");
  // 5 over 10 … 15, 1 over 15 … 20; what follows has no end.
  EXPECT_EQ(both.notes.back(),
            "Euler characteristic: differs by up to 5 (at 10), area between the curves 30");
}

TEST(Paired, StraightLinesMeetBetweenPoints) {
  const auto both = paired(with_curve("a", CurveShape::straight, {0, 10}, {0, 10}, ""),
                           with_curve("b", CurveShape::straight, {0, 5, 10}, {3, 3, 3}, ""));
  EXPECT_EQ(both.curves.front().ys[0].values, (std::vector<double>{0, 5, 10}));
  EXPECT_TRUE(both.notes.empty());
  EXPECT_TRUE(both.tables.empty());
}

TEST(Paired, StraightLinesAreNothingBeyondTheirEnds) {
  const auto both = paired(with_curve("a", CurveShape::straight, {0, 10}, {4, 4}, "points"),
                           with_curve("b", CurveShape::straight, {0, 10, 20}, {7, 7, 7}, "points"));
  const auto& shorter = both.curves.front().ys[0].values;
  ASSERT_EQ(shorter.size(), 3U);
  EXPECT_EQ(shorter[1], 4.0);
  EXPECT_TRUE(std::isnan(shorter[2]));
  // What is beyond counts for nothing.
  EXPECT_NE(both.notes.back().find("differs by up to 3 (at 0), area between the curves 6"),
            std::string::npos)
      << both.notes.back();
}

TEST(Paired, UnitsOfXThatDifferAreSaid) {
  Measurement a = with_curve("a", CurveShape::straight, {0, 10}, {4, 4}, "");
  const Measurement b = with_curve("b", CurveShape::straight, {0, 10}, {4, 4}, "");
  a.curves.front().x.unit = "µm";
  const auto both = paired(a, b);
  EXPECT_TRUE(both.curves.empty());
  EXPECT_NE(both.notes.back().find("set the voxel sizes"), std::string::npos);
}

TEST(Paired, BarsEnd) {
  const auto both = paired(with_curve("a", CurveShape::steps, {0, 10}, {5, 6}, ""),
                           with_curve("b", CurveShape::steps, {0, 10, 20, 30}, {1, 2, 3, 4}, ""));
  EXPECT_EQ(both.curves.front().ys[0].values, (std::vector<double>{5, 6, 0, 0}));
  EXPECT_EQ(both.curves.front().ys[1].values, (std::vector<double>{1, 2, 3, 4}));
}

TEST(Paired, UnitsThatDifferAreSaid) {
  auto other = with_curve("b", CurveShape::steps, {1}, {1});
  other.curves.front().ys.front().unit = "px³";
  const auto both = paired(with_curve("a", CurveShape::steps, {1}, {1}), other);
  EXPECT_TRUE(both.curves.empty());
  EXPECT_EQ(both.notes.back(),
            "Euler characteristic: units differ (none and px³), set the voxel sizes to compare");
}

TEST(Paired, EqualCurvesHaveNoDifference) {
  const auto one = with_curve("a", CurveShape::steps_before, {10, 20}, {5, 2});
  EXPECT_EQ(paired(one, one).notes.back(), "Euler characteristic: no difference");
}

TEST(Paired, WhatOnlyOneHasIsLeftOut) {
  auto other = with_curve("b", CurveShape::steps, {1}, {1});
  other.curves.front().id = "volume";
  EXPECT_TRUE(paired(with_curve("a", CurveShape::steps, {1}, {1}), other).curves.empty());
}

}  // namespace
}  // namespace aprscope
