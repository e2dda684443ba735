#pragma once

#include <optional>
#include <vector>

#include "core/image/channel_blend.hpp"
#include "render/channel_volume.hpp"

namespace aprscope {

class MipView;

/// Several channels over each other in a 3-D view: each channel has a projection of its own, and
/// the projections are blended, see blend_channels().
class MipChannels {
 public:
  explicit MipChannels(MipView& view) : view_(view) {}

  /// Channels to show instead of the projection of the view's source, in the same place; none: the
  /// source's projection. Surfaces, labels and comparisons are shown in preference to channels.
  /// Clicks and surfaces still refer to the source.
  void set_volumes(std::optional<std::vector<ChannelVolume>> volumes);
  /// The numbers of these channels, in order; empty where the source alone is shown.
  [[nodiscard]] std::vector<int> shown() const;
  /// How the channels look, by number. Invisible ones are drawn black; leave them out of the
  /// volumes to save their rays.
  void set_looks(std::vector<ChannelLook> looks);

 private:
  MipView& view_;
};

}  // namespace aprscope
