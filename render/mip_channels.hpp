#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/apr/raycast/raycast.hpp"
#include "core/image/channel_blend.hpp"

namespace aprscope {

class MipView;

/// What renders one channel.
struct ChannelVolume {
  int channel = 0;
  std::shared_ptr<const Raycaster> raycaster;
  friend bool operator==(const ChannelVolume&, const ChannelVolume&) = default;
};

/// Several channels over each other in a 3-D view: each has a projection of its own, and those are
/// blended, see blend_channels().
class MipChannels {
 public:
  explicit MipChannels(MipView& view) : view_(view) {}

  /// Channels that lie in the same place as the view's source, and take the place of its
  /// projection; none: that alone is shown. Surfaces, labels and comparisons come first. The source
  /// stays what clicks and surfaces are about.
  void set_volumes(std::optional<std::vector<ChannelVolume>> volumes);
  /// How the channels look, by their number. What is not visible here is drawn black; leave it out
  /// of the volumes to save its rays.
  void set_looks(std::vector<ChannelLook> looks);

 private:
  MipView& view_;
};

}  // namespace aprscope
