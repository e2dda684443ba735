#include "render/slice_channels.hpp"

#include <utility>

#include "render/slice_view_state.hpp"

namespace aprscope {

void SliceChannels::set_planes(ChannelPlanes planes) {
  if (!planes.of_slice && !view_.impl_->channels.of_slice) return;
  view_.impl_->channels = std::move(planes);
  view_.impl_->colors_stale = true;
  view_.update();
}

void SliceChannels::set_looks(std::vector<ChannelLook> looks) {
  if (looks == view_.impl_->looks) return;
  view_.impl_->looks = std::move(looks);
  if (!view_.impl_->channels.of_slice) return;
  view_.impl_->colors_stale = true;
  view_.update();
}

}  // namespace aprscope
