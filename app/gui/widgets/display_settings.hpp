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
  /// Each cell has its particle's value.
  constant,
  /// Interpolated between particles.
  smooth,
  /// The level of the particle as a colour.
  level,
  /// One dot a particle.
  dots,
};

/// How one channel looks where several lie over each other.
struct ChannelDisplay {
  bool visible = true;
  Rgb colour{255, 255, 255};
  /// None: automatic, from the histogram of the channel.
  std::optional<Contrast> contrast;
  friend bool operator==(const ChannelDisplay&, const ChannelDisplay&) = default;
};

/// What the display panel edits.
struct DisplaySettings {
  ShowMode mode = ShowMode::constant;
  Contrast contrast;
  std::string colormap = "grey";
  bool scale_bar = true;
  bool crosshair = true;
  /// All channels of the file over each other, where it has several.
  bool composite = false;
  /// One a channel of the file, once they were shown together.
  std::vector<ChannelDisplay> channels;

  /// A channel's values have another range by now.
  void forget_contrast(int channel) {
    const auto c = static_cast<std::size_t>(channel);
    if (c < channels.size()) channels[c].contrast.reset();
  }

  friend bool operator==(const DisplaySettings&, const DisplaySettings&) = default;
};

}  // namespace aprscope::gui
