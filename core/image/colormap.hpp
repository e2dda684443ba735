#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/image/volume.hpp"

namespace aprscope {

/// 256 colours, RGBA, from dark (0) to bright (255).
using ColorTable = std::array<std::array<std::uint8_t, 4>, 256>;

/// Names of the colour maps, in menu order: grey, viridis, magma, inferno, cividis, green, magenta,
/// cyan, diverging, levels.
const std::vector<std::string>& colormap_names();

/// The table of a name; grey for an unknown one. All but `diverging` (dark blue – white – dark red)
/// and `levels` (distinct steps) rise monotonically in lightness.
const ColorTable& colormap(const std::string& name);

/// How grey values become colours: t = clamp((v − low) / (high − low), 0, 1)^gamma.
struct Contrast {
  double low = 0.0;
  double high = 1.0;
  double gamma = 1.0;
  friend bool operator==(const Contrast&, const Contrast&) = default;
};

/// RGBA, 4 bytes a value. NaN becomes `nan_color`. Works for low ≥ high (a step at low).
std::vector<std::uint8_t> apply_colormap(std::span<const float> values, const Contrast& contrast,
                                         const ColorTable& table,
                                         std::array<std::uint8_t, 4> nan_color = {0, 0, 0, 0});

}  // namespace aprscope
