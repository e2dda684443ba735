#include "core/cells/label_picture.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/parallel.hpp"
#include "core/base/system.hpp"

namespace aprscope {
namespace {

using Color = std::array<double, 3>;

constexpr double kSeam = 0.5;    // of the light, where two labels meet
constexpr double kGlass = 0.22;  // of those not chosen, over the background
constexpr double kVeil = 0.12;   // of those in front of a chosen one
constexpr double kDimmed = 0.4;  // of a projection, what is not chosen

bool among(std::span<const std::uint32_t> sorted, std::uint32_t label) {
  return std::binary_search(sorted.begin(), sorted.end(), label);
}

Color color_of(const LabelColours& colours, std::uint32_t label) {
  const auto& c = colours.colour(label);
  return {static_cast<double>(c[0]), static_cast<double>(c[1]), static_cast<double>(c[2])};
}

Color mixed(const Color& a, const Color& b, double share_of_b) {
  Color out{};
  for (std::size_t c = 0; c < 3; ++c) out[c] = (1.0 - share_of_b) * a[c] + share_of_b * b[c];
  return out;
}

// The colour in this light: black for 0, and towards white where the light is strongest.
Color lit(const Color& color, double light) {
  const double shine = std::max(0.0, light - 0.8);
  Color out{};
  for (std::size_t c = 0; c < 3; ++c) out[c] = color[c] * light + (255.0 - color[c]) * shine;
  return out;
}

// Whether the ray to the right or below meets another label.
bool at_seam(const LabelLayer& layer, std::size_t i) {
  const auto width = static_cast<std::size_t>(layer.values.width);
  const auto other = [&](std::size_t k) {
    return k < layer.labels.size() && layer.labels[k] != 0 && layer.labels[k] != layer.labels[i];
  };
  return ((i + 1) % width != 0 && other(i + 1)) || other(i + width);
}

Color surface(const LabelLayer& layer, const LabelColours& colours, std::size_t i) {
  const double light =
      static_cast<double>(layer.values.values[i]) * (at_seam(layer, i) ? kSeam : 1);
  return lit(color_of(colours, layer.labels[i]), light);
}

class Painter {
 public:
  Painter(const LabelPicture& picture, const LabelColours& colours,
          std::span<const std::uint32_t> chosen, const std::array<std::uint8_t, 4>& background)
      : picture_(picture),
        colours_(colours),
        chosen_(chosen),
        background_{static_cast<double>(background[0]), static_cast<double>(background[1]),
                    static_cast<double>(background[2])} {}

  [[nodiscard]] Color of_surfaces(std::size_t i) const {
    const LabelLayer& all = picture_.all;
    const bool met = all.labels[i] != 0;
    const LabelLayer* in = picture_.chosen ? &*picture_.chosen : nullptr;
    if (in == nullptr) return met ? surface(all, colours_, i) : background_;
    if (in->labels[i] != 0) {
      const Color own = surface(*in, colours_, i);
      return all.pixels[i] == in->pixels[i] ? own : mixed(own, surface(all, colours_, i), kVeil);
    }
    return met ? mixed(background_, surface(all, colours_, i), kGlass) : background_;
  }
  // Colour of ray i; `grey`: its value in the contrast of the image.
  [[nodiscard]] Color of_projection(std::size_t i, double grey) const {
    if (std::isnan(picture_.all.values.values[i])) return background_;
    const std::uint32_t label = picture_.all.labels[i];
    const bool plain = label == 0 || (!chosen_.empty() && !among(chosen_, label));
    const double share = plain && !chosen_.empty() ? kDimmed : 1.0;
    const Color color = plain ? Color{255.0, 255.0, 255.0} : color_of(colours_, label);
    return {color[0] * grey * share, color[1] * grey * share, color[2] * grey * share};
  }

 private:
  const LabelPicture& picture_;
  const LabelColours& colours_;
  std::span<const std::uint32_t> chosen_;
  Color background_;
};

}  // namespace

std::vector<std::uint8_t> label_picture_colors(const LabelPicture& picture,
                                               const LabelColours& colours,
                                               std::span<const std::uint32_t> chosen,
                                               const Contrast& contrast,
                                               const std::array<std::uint8_t, 4>& background) {
  const Painter painter(picture, colours, chosen, background);
  const bool surfaces = picture.style == LabelStyle::surfaces;
  std::vector<std::uint8_t> out(4 * picture.all.labels.size(), 255);
  if (!surfaces) {
    out = apply_colormap(picture.all.values.values, contrast, colormap("grey"), background);
  }
  const auto count = static_cast<std::int64_t>(picture.all.labels.size());
  parallel_for(count, threads_for(count), [&](std::int64_t at) {
    const auto i = static_cast<std::size_t>(at);
    const Color color = surfaces
                            ? painter.of_surfaces(i)
                            : painter.of_projection(i, static_cast<double>(out[4 * i]) / 255.0);
    for (std::size_t c = 0; c < 3; ++c) {
      out[4 * i + c] = static_cast<std::uint8_t>(std::lround(std::clamp(color[c], 0.0, 255.0)));
    }
  });
  return out;
}

LabelPick picked(const LabelPicture& picture, std::size_t ray) {
  if (ray >= picture.all.labels.size()) return {};
  // Surfaces of chosen labels are seen through all others.
  const bool chosen = picture.chosen && picture.chosen->labels[ray] != 0;
  const LabelLayer& layer = chosen ? *picture.chosen : picture.all;
  return {layer.pixels[ray], layer.labels[ray]};
}

}  // namespace aprscope
