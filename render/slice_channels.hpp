#pragma once

#include <optional>
#include <vector>

#include "core/apr/sample/slice.hpp"
#include "core/image/channel_blend.hpp"

namespace aprscope {

class SliceView;

/// A slice of one channel.
struct ChannelPlane {
  int channel = 0;
  Plane plane;
};

/// Slices of other channels, of the same shape, to show over the view's slice.
struct ChannelPlanes {
  /// The channel of the view's slice itself; none: it is shown alone, in its own colour table.
  std::optional<int> of_slice;
  std::vector<ChannelPlane> others;
};

/// Several channels over each other in a slice view, see blend_channels().
class SliceChannels {
 public:
  explicit SliceChannels(SliceView& view) : view_(view) {}

  /// Sets the slices for the current slice of the view: set_plane() and set_dots() remove them.
  void set_planes(ChannelPlanes planes);
  /// How the channels look, by number. While there are slices of channels, this replaces the view's
  /// contrast and colour table.
  void set_looks(std::vector<ChannelLook> looks);

 private:
  SliceView& view_;
};

}  // namespace aprscope
