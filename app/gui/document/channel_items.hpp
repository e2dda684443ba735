#pragma once

#include <QStringList>
#include <vector>

#include "app/gui/document/channels.hpp"

namespace aprscope::gui {

/// The other channels shown with an item, as items that operations can run on.
struct ChannelItems {
  /// For an original: copies of it with the data, name and contrast of another channel. For a
  /// result: the corresponding results of other channels.
  std::vector<Item> items;
  /// Names of channels that are not read yet, or that have no corresponding result.
  QStringList missing;
};

ChannelItems other_channels(const Item& item, const Channels& channels);

}  // namespace aprscope::gui
