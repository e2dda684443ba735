#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/image/colormap.hpp"

namespace aprscope {

/// Red, green, blue.
using Rgb = std::array<std::uint8_t, 3>;

/// How a file says that one of its channels is to be shown.
struct ChannelHint {
  std::optional<Rgb> colour;
  /// The values that are drawn darkest and brightest.
  std::optional<std::array<double, 2>> window;
  friend bool operator==(const ChannelHint&, const ChannelHint&) = default;
};

/// The colour of a channel whose file says none: its own where it is called "red", "green" or
/// "blue", else green, magenta, cyan, yellow, red, blue, and from the start again. Green and
/// magenta come first: people who cannot tell red from green can tell these two apart.
Rgb channel_colour(const std::string& name, std::size_t index);

/// How a channel looks among others.
struct ChannelLook {
  bool visible = true;
  Rgb colour{255, 255, 255};
  Contrast contrast;
  friend bool operator==(const ChannelLook&, const ChannelLook&) = default;
};

/// Whether the channels are the colours of a picture, called "red", "green", "blue" (and "alpha",
/// which is no colour).
bool are_primaries(const std::vector<std::string>& names);

/// How a channel of a file looks until somebody chooses otherwise.
struct FirstLook {
  bool visible = true;
  Rgb colour{255, 255, 255};
  /// None: that of the channel's own values.
  std::optional<Contrast> contrast;
};

/// How `count` channels look at first: in the colours and windows of `hints`, where the colours
/// tell them apart, else as channel_colour() says; "alpha" is not shown. The colours of a picture
/// of one byte a sample (`bytes`) are those that it has.
std::vector<FirstLook> first_looks(std::size_t count, const std::vector<std::string>& names,
                                   const std::vector<ChannelHint>& hints, bool bytes);

/// One channel of a picture: its values and how they look. t = clamp((v − low) / (high − low), 0,
/// 1)^gamma times `colour`, as apply_colormap() has it.
struct ChannelLayer {
  std::span<const float> values;
  Contrast contrast;
  Rgb colour{255, 255, 255};
};

/// Channels over each other as light adds up: the colours of all layers at a pixel are summed, each
/// of red, green and blue at most 255. RGBA, 4 bytes for each of `pixels` values; layers of another
/// length are left out. NaN adds nothing; a pixel is `nan_color` if all layers are NaN there, and
/// black if there are no layers. At most 256 layers count.
std::vector<std::uint8_t> blend_channels(std::span<const ChannelLayer> layers, std::size_t pixels,
                                         std::array<std::uint8_t, 4> nan_color = {0, 0, 0, 0});

}  // namespace aprscope
