#include "core/image/scale_bar.hpp"

#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

struct Room {
  const char* name;
  double room;
  const char* unit;
  double length;
  const char* label;
};
class ScaleBar : public ::testing::TestWithParam<Room> {};

TEST_P(ScaleBar, IsTheLongestOfOneTwoFiveThatFits) {
  const auto nice = nice_length(GetParam().room, GetParam().unit);
  EXPECT_LE(std::abs(nice.length - GetParam().length), 1e-9 * GetParam().length);
  EXPECT_EQ(nice.label, GetParam().label);
}

INSTANTIATE_TEST_SUITE_P(All, ScaleBar,
                         ::testing::Values(Room{"exact", 20.0, "µm", 20.0, "20 µm"},
                                           Room{"below", 19.99, "µm", 10.0, "10 µm"},
                                           Room{"five", 99.0, "µm", 50.0, "50 µm"},
                                           Room{"hundred", 100.0, "px", 100.0, "100 px"},
                                           Room{"nanometres", 0.7, "µm", 0.5, "500 nm"},
                                           Room{"millimetres", 2100.0, "µm", 2000.0, "2 mm"},
                                           Room{"other_unit", 0.3, "mm", 0.2, "0.2 mm"},
                                           Room{"one", 1.0, "µm", 1.0, "1 µm"}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(ScaleBarLength, NothingFitsInNothing) {
  for (const double room : {0.0, -1.0, std::numeric_limits<double>::infinity(),
                            std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(nice_length(room, "µm").length, 0.0);
  }
}

TEST(ScaleBarLength, HasThreeDigits) {
  EXPECT_EQ(format_length(51.234, "µm"), "51.2 µm");
  EXPECT_EQ(format_length(0.1234, "µm"), "123 nm");
  EXPECT_EQ(format_length(128, "px"), "128 px");
}

}  // namespace
}  // namespace aprscope
