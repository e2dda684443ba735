#include "app/gui/document/channel_items.hpp"

namespace aprscope::gui {
namespace {

Item with_channel(const Item& original, const ItemChannel& channel) {
  Item item = original;
  item.dataset = channel.dataset;
  item.histogram = channel.histogram;
  item.raycaster = channel.raycaster;
  item.pixels.reset();
  item.deconvolved_from.reset();
  item.selection.channel = channel.number;
  item.recipe.channel = channel.number;
  item.display.contrast = channel.look.contrast;
  return item;
}

}  // namespace

ChannelItems other_channels(const Item& item, const Channels& channels) {
  ChannelItems out;
  for (const ItemChannel& channel : channels.of(item)) {
    if (channel.chosen || !channel.look.visible) continue;
    const Item* const sister = item.source ? nullptr : channels.sister(item, channel.number);
    if (sister != nullptr) {
      out.items.push_back(*sister);
    } else if (item.source && channel.dataset) {
      out.items.push_back(with_channel(item, channel));
    } else {
      out.missing << channel.name;
    }
  }
  return out;
}

}  // namespace aprscope::gui
