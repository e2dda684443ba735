#pragma once

#include <optional>
#include <vector>

#include "core/image/channel_blend.hpp"
#include "render/channel_plane.hpp"

namespace aprscope {

class SliceView;

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
