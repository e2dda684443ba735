#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/image/contrast.hpp"

namespace aprscope {

/// 256 colours, RGBA, from dark (0) to bright (255).
using ColorTable = std::array<std::array<std::uint8_t, 4>, 256>;

/// Names of the colour maps, in menu order: grey, viridis, magma, inferno, cividis, green, magenta,
/// cyan, diverging, levels.
const std::vector<std::string>& colormap_names();

/// The table of a name, also of one that was added; grey for an unknown one. Of the first ones all
/// but `diverging` (dark blue – white – dark red) and `levels` (distinct steps) rise monotonically
/// in lightness.
const ColorTable& colormap(const std::string& name);

/// Adds a table that users brought, for as long as the program runs, and returns the name that it
/// has from then on: the given one, or with a number where that has other colours already. Any
/// thread. Throws std::bad_alloc.
std::string add_colormap(const std::string& name, const ColorTable& table);
/// The names of tables that were added, in alphabetical order.
std::vector<std::string> added_colormaps();

/// RGBA, 4 bytes a value. NaN becomes `nan_color`. Works for low ≥ high (a step at low).
std::vector<std::uint8_t> apply_colormap(std::span<const float> values, const Contrast& contrast,
                                         const ColorTable& table,
                                         std::array<std::uint8_t, 4> nan_color = {0, 0, 0, 0});

}  // namespace aprscope
