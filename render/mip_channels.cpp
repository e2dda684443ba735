#include "render/mip_channels.hpp"

#include <algorithm>
#include <utility>

#include "render/mip_view_state.hpp"

namespace aprscope {

void MipChannels::set_volumes(std::optional<std::vector<ChannelVolume>> volumes) {
  if (volumes == view_.impl_->volumes) return;
  view_.impl_->volumes = std::move(volumes);
  view_.impl_->last_asked_exact = true;  // so that the running job, of other channels, is stopped
  view_.request_picture(true);
  view_.update();
}

std::vector<int> MipChannels::shown() const {
  std::vector<int> out;
  if (const auto volumes = view_.impl_->wanted_volumes()) {
    for (const ChannelVolume& one : *volumes) out.push_back(one.channel);
  }
  std::sort(out.begin(), out.end());
  return out;
}

void MipChannels::set_looks(std::vector<ChannelLook> looks) {
  if (looks == view_.impl_->looks) return;
  const auto before = view_.impl_->wanted_matter();
  view_.impl_->looks = std::move(looks);
  if (view_.impl_->blended || before != view_.impl_->wanted_matter()) view_.renew_matter(before);
}

// Blends the projections of all channels.
void MipView::Impl::color_channels(const std::array<std::uint8_t, 4>& nothing) {
  std::vector<ChannelLayer> layers;
  for (std::size_t i = 0; i < blended->size() && i < layer_pictures.size(); ++i) {
    const auto c = static_cast<std::size_t>((*blended)[i].channel);
    if (c >= looks.size() || !looks[c].visible) continue;
    layers.push_back({layer_pictures[i].values, looks[c].contrast, looks[c].colour});
  }
  const auto rays =
      static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height);
  colors = blend_channels(layers, rays, nothing);
}

}  // namespace aprscope
