#include "core/image/channel_blend.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "core/base/system.hpp"

namespace aprscope {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::array<int, 4> pixel(const std::vector<std::uint8_t>& rgba, std::size_t i) {
  return {rgba[4 * i], rgba[4 * i + 1], rgba[4 * i + 2], rgba[4 * i + 3]};
}

// The sum of colours, by the formula.
double expected(const std::vector<ChannelLayer>& layers, std::size_t i, std::size_t component) {
  double sum = 0.0;
  for (const ChannelLayer& layer : layers) {
    const double v = static_cast<double>(layer.values[i]);
    if (std::isnan(v)) continue;
    const Contrast& c = layer.contrast;
    const double t = std::clamp((v - c.low) / (c.high - c.low), 0.0, 1.0);
    sum += layer.colour[component] * std::pow(t, c.gamma);
  }
  return std::min(sum, 255.0);
}

TEST(ChannelBlend, IsTheClampedSumOfColours) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> value(-50.0F, 400.0F);
  for (const std::size_t count : {1U, 2U, 3U, 6U, 17U, 256U}) {
    // More than one thread's share.
    const std::size_t pixels = count < 10 ? 70000 : 3000;
    std::vector<std::vector<float>> values(count, std::vector<float>(pixels));
    std::vector<ChannelLayer> layers;
    for (std::size_t k = 0; k < count; ++k) {
      for (float& v : values[k]) v = random() % 50 == 0 ? kNan : value(random);
      const auto byte = [&] {
        return static_cast<std::uint8_t>(random() % (count < 10 ? 256 : 3));
      };
      const double low = -20.0 + static_cast<double>(random() % 100);
      layers.push_back({values[k],
                        {low, low + 10.0 + static_cast<double>(random() % 300),
                         0.5 + static_cast<double>(random() % 20) / 10.0},
                        {byte(), byte(), byte()}});
    }
    const auto rgba = blend_channels(layers, pixels, {1, 2, 3, 4});
    ASSERT_EQ(rgba.size(), pixels * 4);
    double worst = 0.0;
    for (std::size_t i = 0; i < pixels; ++i) {
      const bool known = std::any_of(layers.begin(), layers.end(), [i](const ChannelLayer& layer) {
        return !std::isnan(layer.values[i]);
      });
      if (!known) {
        ASSERT_EQ(pixel(rgba, i), (std::array<int, 4>{1, 2, 3, 4}));
        continue;
      }
      for (std::size_t c = 0; c < 3; ++c) {
        worst = std::max(worst, std::abs(rgba[4 * i + c] - expected(layers, i, c)));
      }
      ASSERT_EQ(rgba[4 * i + 3], 255);
    }
    // Half a step for rounding each, and what 4096 steps of brightness cost where gamma is steep.
    const double fraction = count < 33 ? 256.0 : 32.0;
    EXPECT_LE(worst, 1.5 + 0.5 * static_cast<double>(count) / fraction) << count << " channels";
  }
}

TEST(ChannelBlend, ColoursAddUpExactly) {
  const std::vector<float> first{0.0F, 100.0F, 100.0F, 50.0F};
  const std::vector<float> second{0.0F, 0.0F, 200.0F, 200.0F};
  const std::vector<ChannelLayer> layers{{first, {0.0, 100.0, 1.0}, {0, 255, 0}},
                                         {second, {0.0, 200.0, 1.0}, {255, 0, 255}}};
  const auto rgba = blend_channels(layers, 4);
  EXPECT_EQ(pixel(rgba, 0), (std::array<int, 4>{0, 0, 0, 255}));
  EXPECT_EQ(pixel(rgba, 1), (std::array<int, 4>{0, 255, 0, 255}));
  EXPECT_EQ(pixel(rgba, 2), (std::array<int, 4>{255, 255, 255, 255}));
  EXPECT_EQ(pixel(rgba, 3), (std::array<int, 4>{255, 128, 255, 255}));
}

TEST(ChannelBlend, OfTheSameColourStaysWhatItCanBe) {
  const std::vector<float> bright(3, 1.0F);
  const std::vector<ChannelLayer> layers(200, {bright, {0.0, 1.0, 1.0}, {255, 10, 1}});
  EXPECT_EQ(pixel(blend_channels(layers, 3), 1), (std::array<int, 4>{255, 255, 200, 255}));
}

TEST(ChannelBlend, EqualLimitsAreAStep) {
  const std::vector<float> values{4.0F, 5.0F, 6.0F};
  const std::vector<ChannelLayer> layers{{values, {5.0, 5.0, 1.0}, {0, 0, 255}}};
  const auto rgba = blend_channels(layers, 3);
  EXPECT_EQ(rgba[2], 0);
  EXPECT_EQ(rgba[6], 0);
  EXPECT_EQ(rgba[10], 255);
}

TEST(ChannelBlend, NothingToShowIsBlackAndOtherLengthsAreLeftOut) {
  EXPECT_EQ(pixel(blend_channels({}, 2, {9, 9, 9, 9}), 1), (std::array<int, 4>{0, 0, 0, 255}));
  const std::vector<float> values{1.0F, 1.0F};
  const std::vector<float> longer{1.0F, 1.0F, 1.0F};
  const std::vector<ChannelLayer> layers{{values, {}, {0, 255, 0}}, {longer, {}, {255, 0, 0}}};
  EXPECT_EQ(pixel(blend_channels(layers, 2), 0), (std::array<int, 4>{0, 255, 0, 255}));
}

TEST(ChannelBlend, OneChannelLooksAsInItsOwnColourMap) {
  std::vector<float> values;
  for (int i = -10; i < 300; ++i) values.push_back(static_cast<float>(i));
  const Contrast contrast{12.0, 250.0, 0.7};
  const std::vector<ChannelLayer> layers{{values, contrast, {255, 255, 255}}};
  const auto blended = blend_channels(layers, values.size());
  const auto mapped = apply_colormap(values, contrast, colormap("grey"));
  for (std::size_t i = 0; i < blended.size(); ++i) EXPECT_NEAR(blended[i], mapped[i], 1) << i;
}

TEST(ChannelColour, FirstSixDifferAndNamesOfColoursHaveTheirOwn) {
  std::set<Rgb> seen;
  for (std::size_t i = 0; i < 6; ++i) seen.insert(channel_colour("GFP", i));
  EXPECT_EQ(seen.size(), 6U);
  EXPECT_EQ(channel_colour("", 0), (Rgb{0, 255, 0}));
  EXPECT_EQ(channel_colour("", 1), (Rgb{255, 0, 255}));
  EXPECT_EQ(channel_colour("", 6), channel_colour("", 0));
  EXPECT_EQ(channel_colour("red", 0), (Rgb{255, 0, 0}));
  EXPECT_EQ(channel_colour("blue", 2), (Rgb{0, 0, 255}));
  EXPECT_TRUE(are_primaries({"red", "green", "blue"}));
  EXPECT_TRUE(are_primaries({"red", "green", "blue", "alpha"}));
  EXPECT_FALSE(are_primaries({"red", "green"}));
  EXPECT_FALSE(are_primaries({"red", "green", "blue", "far red"}));
}

TEST(FirstLooks, AreThoseOfTheFileWhereTheyTellChannelsApart) {
  const std::vector<std::string> names{"a", "b", "alpha"};
  const ChannelHint red{Rgb{255, 0, 0}, std::array<double, 2>{5.0, 9.0}};
  const ChannelHint blue{Rgb{0, 0, 255}, {}};
  const auto looks = first_looks(3, names, {red, blue, {}}, false);
  ASSERT_EQ(looks.size(), 3U);
  EXPECT_EQ(looks[0].colour, (Rgb{255, 0, 0}));
  EXPECT_EQ(looks[0].contrast, (Contrast{5.0, 9.0, 1.0}));
  EXPECT_EQ(looks[1].colour, (Rgb{0, 0, 255}));
  EXPECT_FALSE(looks[1].contrast);
  EXPECT_TRUE(looks[0].visible && looks[1].visible);
  EXPECT_FALSE(looks[2].visible) << "no colour";
  // Of one colour they could not be told apart.
  const auto same = first_looks(2, names, {red, red}, false);
  EXPECT_EQ(same[0].colour, channel_colour("a", 0));
  EXPECT_EQ(same[1].colour, channel_colour("b", 1));
  EXPECT_TRUE(same[1].contrast) << "the window counts all the same";
  // A picture has the brightness that it has; more than eight bits do not.
  const std::vector<std::string> rgb{"red", "green", "blue"};
  EXPECT_EQ(first_looks(3, rgb, {}, true)[1].contrast, (Contrast{0.0, 255.0, 1.0}));
  EXPECT_FALSE(first_looks(3, rgb, {}, false)[1].contrast);
}

}  // namespace
}  // namespace aprscope
