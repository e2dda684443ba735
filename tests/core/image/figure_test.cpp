#include "core/image/figure.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/image/lettering.hpp"

namespace aprscope {
namespace {

constexpr Rgba kWhite{255, 255, 255, 255};
constexpr Rgba kBlack{0, 0, 0, 255};

// Columns of the picture that have a pixel of another colour than `color`.
int touched_columns(const Picture& picture, Rgba color) {
  int count = 0;
  for (int c = 0; c < picture.width; ++c) {
    bool touched = false;
    for (int r = 0; r < picture.height; ++r) touched = touched || picture.at(c, r) != color;
    count += touched ? 1 : 0;
  }
  return count;
}

TEST(Picture, BlendsAndStaysInside) {
  Picture picture(4, 3, kWhite);
  picture.blend(1, 1, kBlack, 0.5);
  EXPECT_NEAR(picture.at(1, 1)[0], 128, 1);
  EXPECT_EQ(picture.at(1, 1)[3], 255);
  picture.blend(-1, 0, kBlack);
  picture.fill(2, 1, 50, 50, kBlack);
  EXPECT_EQ(picture.at(3, 2), kBlack);
  EXPECT_EQ(picture.at(1, 2), kWhite);
  EXPECT_EQ(picture.at(4, 0), (Rgba{0, 0, 0, 0}));
}

TEST(Lettering, DrawsWhatItMeasures) {
  const auto letters = Lettering::create(20);
  ASSERT_TRUE(letters.ok()) << letters.error().message();
  EXPECT_GT(letters->width("mm"), letters->width("ii"));
  EXPECT_EQ(letters->width(""), 0);
  for (const char* text : {"20 µm", "PSNR − σ ≤ 0.5", "\xff\xc3"}) {
    Picture picture(300, 40, kWhite);
    letters->draw(picture, text, 5, 5, kBlack);
    const int columns = touched_columns(picture, kWhite);
    EXPECT_GT(columns, 3) << text;
    EXPECT_LE(columns, letters->width(text) + 2) << text;
  }
  EXPECT_EQ(letters->elided("short", 500), "short");
  const std::string cut = letters->elided("a long name of a file with µ and ö in it", 100);
  EXPECT_LE(letters->width(cut), 100);
  EXPECT_EQ(cut.substr(cut.size() - 3), "…");
}

FigurePanel halves(std::int64_t rows, std::int64_t cols) {
  FigurePanel panel;
  panel.plane = {rows, cols, {}};
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t c = 0; c < cols; ++c)
      panel.plane.values.push_back(c < cols / 2 ? 0.0F : 1.0F);
  }
  return panel;
}

TEST(Figure, ShowsThePictureInItsPhysicalShape) {
  FigureOptions options;
  options.row_step = 2.0;  // 10 × 2 is as tall as 20 × 1 is wide
  options.panel_pixels = 100;
  options.scale_bar = false;
  options.color_bars = false;
  const auto figure = make_figure({halves(10, 20)}, options);
  ASSERT_TRUE(figure.ok()) << figure.error().message();
  // The left half is black, the right half white on white: its black is 50 × 100.
  int black = 0;
  for (int r = 0; r < figure->height; ++r) {
    for (int c = 0; c < figure->width; ++c) black += figure->at(c, r) == kBlack ? 1 : 0;
  }
  EXPECT_EQ(black, 50 * 100);
  EXPECT_EQ(figure->width % 2, 0);
  EXPECT_EQ(figure->height % 2, 0);
}

TEST(Figure, ScaleBarIsAsLongAsItSays) {
  FigureOptions options;
  options.col_step = options.row_step = 0.5;
  options.unit = "µm";
  options.panel_pixels = 200;
  options.color_bars = false;
  FigurePanel dark;
  dark.plane = {40, 40, std::vector<float>(1600, 0.0F)};  // 20 µm: 10 pixels a µm
  const auto figure = make_figure({dark}, options);
  ASSERT_TRUE(figure.ok());
  // The longest white run with something else on both sides is the bar: 5 µm, the nice length below
  // 30 % of 20 µm.
  int longest = 0;
  for (int r = 0; r < figure->height; ++r) {
    int begin = -1;
    for (int c = 1; c < figure->width; ++c) {
      const bool white = figure->at(c, r) == kWhite;
      const bool before = figure->at(c - 1, r) == kWhite;
      if (white && !before) begin = c;
      if (!white && before && begin > 0) longest = std::max(longest, c - begin);
    }
  }
  EXPECT_EQ(longest, 50);
}

TEST(Figure, PanelsStandBesideEachOtherWithWhatBelongsToThem) {
  FigurePanel a = halves(30, 30);
  a.title = "A  first";
  FigurePanel b = halves(30, 30);
  b.contrast = {-1.0, 1.0, 1.0};
  b.colormap = "diverging";
  const auto one = make_figure({a}, {});
  const auto two = make_figure({a, b}, {});
  ASSERT_TRUE(one.ok() && two.ok());
  EXPECT_EQ(two->width - one->width, 560 + 18);
  EXPECT_EQ(two->height, one->height);
  // Zero of the second is the middle of its colours, not black.
  const Rgba middle = two->at(24 + 560 + 18 + 10, 200);
  EXPECT_GT(middle[0], 230);
  EXPECT_GT(middle[2], 230);
  a.notes = {"one line", "another"};
  const auto noted = make_figure({a, b}, {});
  ASSERT_TRUE(noted.ok());
  EXPECT_GT(noted->height, two->height);
  FigureOptions captioned;
  captioned.caption = "Slice z 31";
  EXPECT_GT(make_figure({a}, captioned)->height, one->height);
}

TEST(Figure, ShrinksByMeans) {
  FigurePanel fine;
  fine.plane = {64, 64, {}};
  for (int i = 0; i < 64 * 64; ++i) fine.plane.values.push_back(i % 2 == 0 ? 0.0F : 1.0F);
  FigureOptions options;
  options.panel_pixels = 32;
  options.scale_bar = options.color_bars = false;
  const auto figure = make_figure({fine}, options);
  ASSERT_TRUE(figure.ok());
  EXPECT_NEAR(figure->at(figure->width / 2, figure->height / 2)[0], 128, 2);
}

TEST(Figure, ChannelsLieOverEachOther) {
  FigurePanel panel;
  panel.plane = {1, 2, {0.0F, 1.0F}};
  const Plane other{1, 2, {1.0F, 1.0F}};
  panel.layers = {{panel.plane, {true, {0, 255, 0}, {}}},
                  {other, {true, {255, 0, 0}, {}}},
                  {other, {false, {0, 0, 255}, {}}}};
  FigureOptions options;
  options.scale_bar = options.color_bars = false;
  options.panel_pixels = 40;
  const auto figure = make_figure({panel}, options);
  ASSERT_TRUE(figure.ok()) << figure.error().message();
  const auto count = [&](const Rgba& colour) {
    int pixels = 0;
    for (int r = 0; r < figure->height; ++r) {
      for (int c = 0; c < figure->width; ++c) pixels += figure->at(c, r) == colour ? 1 : 0;
    }
    return pixels;
  };
  EXPECT_EQ(count({255, 0, 0, 255}), 20 * 20);
  EXPECT_EQ(count({255, 255, 0, 255}), 20 * 20);
  panel.layers[1].plane = {1, 1, {1.0F}};
  EXPECT_FALSE(make_figure({panel}, options).ok());
}

TEST(Figure, OfNothingIsAnError) {
  EXPECT_FALSE(make_figure({}, {}).ok());
  EXPECT_FALSE(make_figure({FigurePanel{}}, {}).ok());
}

}  // namespace
}  // namespace aprscope
