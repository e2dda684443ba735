#pragma once

#include <QStringList>
#include <vector>

#include "app/gui/document/channels.hpp"

namespace aprscope::gui {

/// The other channels that are seen with an item, as items that steps can run on.
struct ChannelItems {
  /// Of an original: the same with the data, name and contrast of another channel; of a result:
  /// the results that are shown with it.
  std::vector<Item> items;
  /// Names of those that are not read yet, or that nobody made.
  QStringList missing;
};

ChannelItems other_channels(const Item& item, const Channels& channels);

}  // namespace aprscope::gui
