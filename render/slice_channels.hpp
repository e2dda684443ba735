#pragma once

#include <optional>
#include <vector>

#include "core/apr/sample/slice.hpp"
#include "core/image/channel_blend.hpp"

namespace aprscope {

class SliceView;

/// The slice of one channel.
struct ChannelPlane {
  int channel = 0;
  Plane plane;
};

/// What lies over a slice: slices of the same shape of other channels.
struct ChannelPlanes {
  /// The channel that the slice itself is of; none: it is shown alone, in the colours of its table.
  std::optional<int> of_slice;
  std::vector<ChannelPlane> others;
};

/// Several channels over each other in a slice view, see blend_channels().
class SliceChannels {
 public:
  explicit SliceChannels(SliceView& view) : view_(view) {}

  /// They go with the slice that they were set for: set_plane() and set_dots() forget them.
  void set_planes(ChannelPlanes planes);
  /// How the channels look, by their number. They take the place of the view's contrast and colour
  /// table while there are planes.
  void set_looks(std::vector<ChannelLook> looks);

 private:
  SliceView& view_;
};

}  // namespace aprscope
