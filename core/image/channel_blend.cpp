#include "core/image/channel_blend.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/parallel.hpp"

namespace aprscope {
namespace {

constexpr std::size_t kSteps = 4096;
constexpr std::size_t kMostLayers = 256;
constexpr std::size_t kPixelsForThreads = 32768;
// Pixels whose sums are worked out together.
constexpr std::size_t kTogether = 256;

// Red, green and blue of one step of brightness in 21 bits each, so that one addition adds all.
using Packed = std::uint64_t;
constexpr unsigned kLane = 21;
constexpr Packed kLaneMask = (Packed{1} << kLane) - 1U;

// Bits of fraction that leave room for the sum of so many layers.
unsigned fraction_bits(std::size_t layers) {
  unsigned bits = 8;
  while (layers * 255U << bits > kLaneMask) --bits;
  return bits;
}

struct Curve {
  const float* values = nullptr;
  float low = 0.0F;
  float scale = 0.0F;
  bool step = false;
  std::vector<Packed> colours;

  Curve(const ChannelLayer& layer, unsigned bits)
      : values(layer.values.data()),
        low(static_cast<float>(layer.contrast.low)),
        step(!(layer.contrast.high > layer.contrast.low)),
        colours(kSteps + 1) {
    const double range = layer.contrast.high - layer.contrast.low;
    scale = step ? 0.0F : static_cast<float>((kSteps - 1) / range);
    for (std::size_t i = 0; i < kSteps; ++i) {
      const double t =
          std::pow(static_cast<double>(i) / static_cast<double>(kSteps - 1), layer.contrast.gamma);
      for (unsigned c = 0; c < 3; ++c) {
        const double part = t * layer.colour[c] * static_cast<double>(1U << bits);
        colours[i] |= static_cast<Packed>(std::lround(part)) << (kLane * c);
      }
    }
  }

  // Adds the colours of `count` values; `known` is set where a value is a number. Two loops, so
  // that both are done several values at a time.
  void add(const float* from, std::size_t count, Packed* sum, std::uint8_t* known) const {
    constexpr auto kLast = static_cast<float>(kSteps - 1);
    std::array<std::int32_t, kTogether> steps;
    for (std::size_t i = 0; i < count; ++i) {
      const float v = from[i];
      const float t = step ? (v > low ? kLast : 0.0F) : std::clamp((v - low) * scale, 0.0F, kLast);
      // What is no number has a step without colour.
      const bool number = !std::isnan(v);
      steps[i] = number
                     ? static_cast<std::int32_t>(t + 0.5F)  // NOLINT(bugprone-incorrect-roundings)
                     : static_cast<std::int32_t>(kSteps);
      known[i] = static_cast<std::uint8_t>(known[i] | static_cast<std::uint8_t>(number));
    }
    const Packed* const table = colours.data();
    for (std::size_t i = 0; i < count; ++i) sum[i] += table[steps[i]];
  }
};

}  // namespace

Rgb channel_colour(const std::string& name, std::size_t index) {
  if (name == "red") return {255, 0, 0};
  if (name == "green") return {0, 255, 0};
  if (name == "blue") return {0, 0, 255};
  constexpr std::array<Rgb, 6> kPalette{
      {{0, 255, 0}, {255, 0, 255}, {0, 255, 255}, {255, 255, 0}, {255, 0, 0}, {0, 0, 255}}};
  return kPalette[index % kPalette.size()];
}

bool are_primaries(const std::vector<std::string>& names) {
  return (names.size() == 3 || (names.size() == 4 && names[3] == "alpha")) && names[0] == "red" &&
         names[1] == "green" && names[2] == "blue";
}

std::vector<FirstLook> first_looks(std::size_t count, const std::vector<std::string>& names,
                                   const std::vector<ChannelHint>& hints, bool bytes) {
  const bool picture = bytes && are_primaries(names);
  const bool coloured = std::any_of(hints.begin(), hints.end(), [&](const ChannelHint& hint) {
    return hint.colour != hints.front().colour;
  });
  std::vector<FirstLook> out;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = i < names.size() ? names[i] : std::string();
    FirstLook one;
    one.colour = channel_colour(name, i);
    one.visible = name != "alpha";
    if (picture) one.contrast = Contrast{0.0, 255.0, 1.0};
    if (i < hints.size()) {
      const ChannelHint& hint = hints[i];
      if (coloured && hint.colour) one.colour = *hint.colour;
      if (hint.window) one.contrast = Contrast{(*hint.window)[0], (*hint.window)[1], 1.0};
    }
    out.push_back(one);
  }
  return out;
}

std::vector<std::uint8_t> blend_channels(std::span<const ChannelLayer> layers, std::size_t pixels,
                                         std::array<std::uint8_t, 4> nan_color) {
  std::vector<std::uint8_t> rgba(pixels * 4);
  layers = layers.first(std::min(layers.size(), kMostLayers));
  const unsigned bits = fraction_bits(layers.size());
  std::vector<Curve> curves;
  for (const ChannelLayer& layer : layers) {
    if (layer.values.size() == pixels) curves.emplace_back(layer, bits);
  }
  const Packed half = Packed{1} << (bits - 1U);
  const bool nothing = curves.empty();
  const std::size_t blocks = (pixels + kTogether - 1) / kTogether;
  parallel_for(static_cast<std::int64_t>(blocks), pixels > kPixelsForThreads ? thread_count() : 1,
               [&](std::int64_t block) {
                 const std::size_t first = static_cast<std::size_t>(block) * kTogether;
                 const std::size_t count = std::min(kTogether, pixels - first);
                 std::array<Packed, kTogether> sum{};
                 std::array<std::uint8_t, kTogether> known{};
                 if (nothing) known.fill(1);
                 for (const Curve& curve : curves) {
                   curve.add(curve.values + first, count, sum.data(), known.data());
                 }
                 for (std::size_t i = 0; i < count; ++i) {
                   std::uint8_t* const out = rgba.data() + 4 * (first + i);
                   if (known[i] == 0) {
                     std::copy(nan_color.begin(), nan_color.end(), out);
                     continue;
                   }
                   for (unsigned c = 0; c < 3; ++c) {
                     const Packed part = ((sum[i] >> (kLane * c)) & kLaneMask) + half;
                     out[c] = static_cast<std::uint8_t>(std::min<Packed>(part >> bits, 255));
                   }
                   out[3] = 255;
                 }
               });
  return rgba;
}

}  // namespace aprscope
