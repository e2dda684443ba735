#include "core/image/colormap.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

// CIE lightness L* of an sRGB colour.
double lightness(const std::array<std::uint8_t, 4>& c) {
  const auto linear = [](double v) {
    v /= 255.0;
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  };
  const double y = 0.2126 * linear(c[0]) + 0.7152 * linear(c[1]) + 0.0722 * linear(c[2]);
  return y > 0.008856 ? 116.0 * std::cbrt(y) - 16.0 : 903.3 * y;
}

TEST(Colormap, SequentialMapsRiseInLightness) {
  for (const auto& name : colormap_names()) {
    if (name == "diverging" || name == "levels") continue;
    const ColorTable& table = colormap(name);
    // Over steps of 8 of 256: rounding to bytes wiggles neighbours.
    for (std::size_t i = 8; i < table.size(); i += 8) {
      EXPECT_GT(lightness(table[i]), lightness(table[i - 8])) << name << " at " << i;
    }
    EXPECT_GT(lightness(table[255]) - lightness(table[0]), 60.0) << name;
  }
}

TEST(Colormap, ViridisHasItsKnownEnds) {
  const ColorTable& table = colormap("viridis");
  // matplotlib: #440154 … #fde725
  EXPECT_NEAR(table[0][0], 0x44, 4);
  EXPECT_NEAR(table[0][1], 0x01, 4);
  EXPECT_NEAR(table[0][2], 0x54, 4);
  EXPECT_NEAR(table[255][0], 0xfd, 6);
  EXPECT_NEAR(table[255][1], 0xe7, 6);
  EXPECT_NEAR(table[255][2], 0x25, 6);
}

TEST(Colormap, ContrastGammaAndNaN) {
  const std::vector<float> values{-5, 10, 20, 30, 99, std::numeric_limits<float>::quiet_NaN()};
  const auto rgba = apply_colormap(values, {10, 30, 1.0}, colormap("grey"), {1, 2, 3, 4});
  EXPECT_EQ(rgba[0], 0);
  EXPECT_EQ(rgba[4], 0);
  EXPECT_EQ(rgba[8], 128);
  EXPECT_EQ(rgba[12], 255);
  EXPECT_EQ(rgba[16], 255);
  EXPECT_EQ((std::vector<std::uint8_t>(rgba.begin() + 20, rgba.end())),
            (std::vector<std::uint8_t>{1, 2, 3, 4}));
  const auto squared = apply_colormap(values, {10, 30, 2.0}, colormap("grey"));
  EXPECT_NEAR(squared[8], 64, 1);
}

TEST(Colormap, EqualLimitsAreAStep) {
  const std::vector<float> values{4, 5, 6};
  const auto rgba = apply_colormap(values, {5, 5, 1.0}, colormap("grey"));
  EXPECT_EQ(rgba[0], 0);
  EXPECT_EQ(rgba[4], 0);
  EXPECT_EQ(rgba[8], 255);
}

TEST(Colormap, TablesAreAddedAndNeverReplaced) {
  ColorTable red{};
  for (std::size_t i = 0; i < red.size(); ++i) red[i] = {static_cast<std::uint8_t>(i), 0, 0, 255};
  ColorTable other = red;
  other[255][1] = 9;
  EXPECT_EQ(add_colormap("my red", red), "my red");
  EXPECT_EQ(add_colormap("my red", red), "my red");
  EXPECT_EQ(add_colormap("my red", other), "my red 2");
  EXPECT_EQ(colormap("my red"), red);
  EXPECT_EQ(colormap("my red 2"), other);
  // The names of the first ones stay theirs.
  EXPECT_EQ(add_colormap("viridis", red), "viridis 2");
  EXPECT_EQ(add_colormap("viridis", colormap("viridis")), "viridis");
  EXPECT_EQ(added_colormaps(), (std::vector<std::string>{"my red", "my red 2", "viridis 2"}));
  EXPECT_EQ(colormap("nothing of this name"), colormap("grey"));
}

}  // namespace
}  // namespace aprscope
