#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/image/channel_blend.hpp"
#include "core/image/colormap.hpp"

namespace aprscope::gui {

/// How a data set is drawn in the slices. For pixel images every mode is `pixel`.
enum class ShowMode {
  /// The image that the particles were made from (or the pixels of a pixel image).
  pixel,
  /// Each cell is filled with the value of its particle.
  constant,
  /// Interpolated between particles.
  smooth,
  /// The level of the particle as a colour.
  level,
  /// A dot for each particle.
  dots,
};

/// The display of one of several channels that are shown over each other.
struct ChannelDisplay {
  bool visible = true;
  Rgb colour{255, 255, 255};
  /// None: automatic contrast, from the channel's histogram.
  std::optional<Contrast> contrast;
  friend bool operator==(const ChannelDisplay&, const ChannelDisplay&) = default;
};

/// The settings that the display panel edits.
struct DisplaySettings {
  ShowMode mode = ShowMode::constant;
  Contrast contrast;
  std::string colormap = "grey";
  bool scale_bar = true;
  bool crosshair = true;
  /// Shows all channels of the file over each other, if it has several.
  bool composite = false;
  /// The display of each channel of the file; empty until they are first shown together.
  std::vector<ChannelDisplay> channels;

  /// Makes a channel's contrast automatic again, since its values have another range.
  void forget_contrast(int channel) {
    const auto c = static_cast<std::size_t>(channel);
    if (c < channels.size()) channels[c].contrast.reset();
  }

  friend bool operator==(const DisplaySettings&, const DisplaySettings&) = default;
};

}  // namespace aprscope::gui
