#include "core/operations/measure/line_in_slice.hpp"

#include <gtest/gtest.h>

namespace aprscope {
namespace {

using Point = std::array<double, 3>;

Point point(const Operation& operation, const char* name) {
  return std::get<Point>(operation.parameters.at(name));
}

TEST(LineInSlice, WholeNumbersAreTheMiddlesOfPixels) {
  const Operation operation{
      "line_profile",
      {{"start", Point{4, 10, 20}}, {"end", Point{4, 12.5, 0}}, {"plane", std::string("xy")}}};
  const auto line = line_of(operation);
  ASSERT_TRUE(line.has_value());
  EXPECT_EQ(line->axis, Axis::z);
  EXPECT_EQ(line->index, 4);
  EXPECT_EQ(line->line, (PlaneLine{{10.5, 20.5}, {13.0, 0.5}}));
}

TEST(LineInSlice, GoesThereAndBackInEveryPlane) {
  const Operation base{"line_profile", {{"width", std::int64_t{3}}}};
  for (const Axis axis : {Axis::z, Axis::x, Axis::y}) {
    const LineInSlice line{axis, 7, {{1.5, 2.75}, {30.125, 0.0}}};
    const Operation made = with_line(base, line);
    EXPECT_EQ(line_of(made), std::optional(line));
    EXPECT_EQ(std::get<std::int64_t>(made.parameters.at("width")), 3);
  }
  // Rows of yz are z, columns y; of xz z and x.
  EXPECT_EQ(point(with_line(base, {Axis::x, 7, {{1.5, 2.5}, {3.5, 4.5}}}), "start"),
            (Point{1, 7, 2}));
  EXPECT_EQ(point(with_line(base, {Axis::y, 7, {{1.5, 2.5}, {3.5, 4.5}}}), "end"),
            (Point{3, 4, 7}));
}

TEST(LineInSlice, ThereIsNoneOfOtherOperationsAndOfOnePlace) {
  EXPECT_FALSE(line_of({"statistics", {}}));
  EXPECT_FALSE(line_of(
      {"line_profile",
       {{"start", Point{1, 2, 3}}, {"end", Point{1, 2, 3}}, {"plane", std::string("xy")}}}));
}

}  // namespace
}  // namespace aprscope
