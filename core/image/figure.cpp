#include "core/image/figure.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/image/lettering.hpp"
#include "core/image/scale_bar.hpp"

namespace aprscope {
namespace {

constexpr int kMargin = 24;
constexpr int kGap = 18;
constexpr int kPad = 8;
constexpr int kText = 17;
constexpr int kBar = 10;  // height of a colour bar
constexpr double kScaleShare = 0.3;

struct Layout {
  int width = 0;  // of a panel
  int height = 0;
  double pixels_a_unit = 1.0;
};

Layout layout_of(const FigurePanel& panel, const FigureOptions& options) {
  const double wide = static_cast<double>(panel.plane.cols) * options.col_step;
  const double tall = static_cast<double>(panel.plane.rows) * options.row_step;
  Layout out;
  out.pixels_a_unit = options.panel_pixels / std::max(wide, tall);
  out.width = std::max(1, static_cast<int>(std::lround(wide * out.pixels_a_unit)));
  out.height = std::max(1, static_cast<int>(std::lround(tall * out.pixels_a_unit)));
  return out;
}

// The plane at another size: means where it gets smaller, squares where it gets larger.
std::vector<float> resampled(const Plane& plane, int width, int height) {
  std::vector<float> out;
  out.reserve(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  const auto range = [](std::int64_t i, std::int64_t n, std::int64_t count) {
    const std::int64_t first = i * count / n;
    return std::pair(first, std::max(first + 1, (i + 1) * count / n));
  };
  for (int row = 0; row < height; ++row) {
    const auto [r0, r1] = range(row, height, plane.rows);
    for (int col = 0; col < width; ++col) {
      const auto [c0, c1] = range(col, width, plane.cols);
      double sum = 0.0;
      for (std::int64_t r = r0; r < r1; ++r) {
        for (std::int64_t c = c0; c < c1; ++c) {
          sum += static_cast<double>(plane.values[static_cast<std::size_t>(r * plane.cols + c)]);
        }
      }
      out.push_back(static_cast<float>(sum / static_cast<double>((r1 - r0) * (c1 - c0))));
    }
  }
  return out;
}

void paste(Picture& picture, const std::vector<std::uint8_t>& rgba, int left, int top, int width,
           int height) {
  for (int row = 0; row < height; ++row) {
    const auto from = rgba.begin() + static_cast<std::ptrdiff_t>(row) * width * 4;
    std::copy(
        from, from + static_cast<std::ptrdiff_t>(width) * 4,
        picture.rgba.begin() + (static_cast<std::ptrdiff_t>(top + row) * picture.width + left) * 4);
  }
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.4g", value);
  // Typeset a true minus sign in place of the hyphen.
  return text[0] == '-' ? "−" + std::string(text + 1) : text;
}

void draw_scale_bar(Picture& picture, const Lettering& letters, const Layout& layout, int left,
                    int top, const std::string& unit) {
  const NiceLength nice = nice_length(kScaleShare * layout.width / layout.pixels_a_unit, unit);
  const int length = static_cast<int>(std::lround(nice.length * layout.pixels_a_unit));
  if (length < 2) return;
  const int text = letters.width(nice.label);
  const int room = std::max(length, text) + 2 * kPad;
  const int high = letters.line_height() + 4 + 2 * kPad;
  const int x = left + kPad;
  const int y = top + layout.height - kPad - high;
  // White on a dark translucent ground, to be legible on any image.
  picture.fill(x, y, room, high, {0, 0, 0, 150});
  letters.draw(picture, nice.label, x + (room - text) / 2, y + kPad - 2, {255, 255, 255, 255});
  picture.fill(x + (room - length) / 2, y + high - kPad - 3, length, 4, {255, 255, 255, 255});
}

void draw_color_bar(Picture& picture, const Lettering& letters, const FigurePanel& panel, int left,
                    int top, int width, Rgba ink) {
  const ColorTable& table = colormap(panel.colormap);
  for (int i = 0; i < width; ++i) {
    const double t =
        std::pow(static_cast<double>(i) / std::max(1, width - 1), panel.contrast.gamma);
    const auto& c = table[static_cast<std::size_t>(std::lround(255.0 * std::clamp(t, 0.0, 1.0)))];
    picture.fill(left + i, top, 1, kBar, {c[0], c[1], c[2], 255});
  }
  picture.frame(left, top, width, kBar, {128, 128, 128, 255});
  const std::string low = number(panel.contrast.low);
  const std::string high = number(panel.contrast.high);
  letters.draw(picture, low, left, top + kBar + 2, ink);
  letters.draw(picture, high, left + width - letters.width(high), top + kBar + 2, ink);
  if (panel.contrast.low < 0.0 && panel.contrast.high == -panel.contrast.low) {
    letters.draw(picture, "0", left + (width - letters.width("0")) / 2, top + kBar + 2, ink);
  }
}

std::vector<std::uint8_t> coloured(const FigurePanel& panel, const Layout& layout,
                                   const Rgba& nothing) {
  if (panel.layers.empty()) {
    return apply_colormap(resampled(panel.plane, layout.width, layout.height), panel.contrast,
                          colormap(panel.colormap), nothing);
  }
  std::vector<std::vector<float>> values;
  for (const FigureLayer& layer : panel.layers) {
    values.push_back(resampled(layer.plane, layout.width, layout.height));
  }
  std::vector<ChannelLayer> layers;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const ChannelLook& look = panel.layers[i].look;
    if (look.visible) layers.push_back({values[i], look.contrast, look.colour});
  }
  const auto pixels =
      static_cast<std::size_t>(layout.width) * static_cast<std::size_t>(layout.height);
  return blend_channels(layers, pixels, nothing);
}

}  // namespace

Result<Picture> make_figure(const std::vector<FigurePanel>& panels, const FigureOptions& options) {
  if (panels.empty())
    return Error{"there is nothing to show", "figure", "give one picture or more"};
  std::vector<Layout> layouts;
  int wide = 2 * kMargin - kGap;
  int tall = 0;
  std::size_t notes = 0;
  for (const FigurePanel& panel : panels) {
    const Plane& p = panel.plane;
    const bool sound =
        p.rows > 0 && p.cols > 0 && static_cast<std::int64_t>(p.values.size()) == p.rows * p.cols;
    if (!sound) return Error{"a picture has no pixels", "figure", "choose data with values"};
    for (const FigureLayer& layer : panel.layers) {
      if (layer.plane.rows != p.rows || layer.plane.cols != p.cols ||
          layer.plane.values.size() != p.values.size()) {
        return Error{"a channel has another shape than its picture", "figure", ""};
      }
    }
    layouts.push_back(layout_of(panel, options));
    wide += layouts.back().width + kGap;
    tall = std::max(tall, layouts.back().height);
    notes = std::max(notes, panel.notes.size());
  }
  const auto letters = Lettering::create(kText);
  if (!letters) return letters.error();
  const int line = letters->line_height();
  // A narrow picture still has room for its caption.
  wide = std::max(wide, letters->width(options.caption) + 2 * kMargin);
  const int title = line + kPad;
  const int bars = options.color_bars ? kPad + kBar + 2 + line : 0;
  const int below = static_cast<int>(notes) * line + (notes > 0 ? kPad : 0);
  const int caption = options.caption.empty() ? 0 : line + kPad;
  const int high = 2 * kMargin + title + tall + bars + below + caption;

  Picture picture((wide + 1) / 2 * 2, (high + 1) / 2 * 2, options.background);
  int left = kMargin;
  const int top = kMargin + title;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const FigurePanel& panel = panels[i];
    const Layout& layout = layouts[i];
    letters->draw(picture, letters->elided(panel.title, layout.width), left, kMargin, options.ink);
    paste(picture, coloured(panel, layout, options.nothing), left, top, layout.width,
          layout.height);
    if (i == 0 && options.scale_bar) {
      draw_scale_bar(picture, *letters, layout, left, top, options.unit);
    }
    if (options.color_bars) {
      draw_color_bar(picture, *letters, panel, left, top + tall + kPad, layout.width, options.ink);
    }
    int y = top + tall + bars + kPad;
    for (const std::string& note : panel.notes) {
      letters->draw(picture, letters->elided(note, layout.width), left, y, options.ink);
      y += line;
    }
    left += layout.width + kGap;
  }
  if (!options.caption.empty()) {
    letters->draw(picture, options.caption, kMargin, top + tall + bars + below + kPad, options.ink);
  }
  return picture;
}

}  // namespace aprscope
