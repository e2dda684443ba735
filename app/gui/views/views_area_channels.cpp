// Several channels over each other in the four views.
#include <utility>

#include "app/gui/views/views_area.hpp"

namespace aprscope::gui {

void ViewsArea::follow_channels() {
  show_channels();
  volume_slices_->renew();
}

void ViewsArea::show_channels() {
  const Item* item = document_.items().current();
  if (item == nullptr) return;
  const std::vector<ItemChannel> channels = document_.channels().of(*item);
  if (channels.empty()) {
    for (SliceView* view : slices_) {
      // Views that still show the item before keep its channels for the moment.
      if (!earlier_[static_cast<std::size_t>(view->axis())]) view->channels().set_planes({});
    }
    mip_->channels().set_volumes(std::nullopt);
    return;
  }
  std::vector<ChannelLook> looks;
  std::vector<ChannelLook> in_volume;
  std::vector<ChannelVolume> volumes;
  for (const ItemChannel& one : channels) {
    looks.push_back(one.look);
    const auto preview = one.chosen ? volume_preview_->raycaster() : nullptr;
    const auto volume = preview ? preview : one.raycaster;
    if (one.look.visible && volume) volumes.push_back({one.number, volume});
    in_volume.push_back(one.look);
    // Filtered values may have another range.
    if (one.chosen && volume_preview_->contrast()) {
      in_volume.back().contrast = *volume_preview_->contrast();
    }
  }
  mip_->channels().set_looks(in_volume);
  mip_->channels().set_volumes(std::move(volumes));
  for (SliceView* view : slices_) {
    const auto axis = static_cast<std::size_t>(view->axis());
    if (earlier_[axis]) continue;
    std::vector<ChannelLook> here = looks;
    // Previewed values may have another range, so the preview's contrast is used.
    const auto& picture = shown_[axis];
    if (picture && picture->contrast && picture->channels.of_slice) {
      const auto own = static_cast<std::size_t>(*picture->channels.of_slice);
      if (own < here.size()) here[own].contrast = *picture->contrast;
    }
    view->channels().set_looks(std::move(here));
  }
}

std::vector<ChannelValue> ViewsArea::channel_values(const Index3& position) const {
  std::vector<ChannelValue> out;
  const Item* item = document_.items().current();
  if (item == nullptr || item->display.mode == ShowMode::level) return out;
  for (const ItemChannel& one : document_.channels().of(*item)) {
    if (!one.look.visible || !one.dataset) continue;
    const auto seen = one.chosen ? shown_value(position) : std::nullopt;
    out.push_back({one.name, seen.value_or(one.dataset->probe(position).value)});
  }
  return out;
}

}  // namespace aprscope::gui
