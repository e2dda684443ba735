#include "app/gui/panels/all_channels_box.hpp"

#include <algorithm>

#include "app/gui/document/document.hpp"

namespace aprscope::gui {

AllChannelsBox::AllChannelsBox(Document& document, QWidget* parent)
    : QCheckBox(tr("All channels that are shown"), parent), document_(document) {
  setObjectName(QStringLiteral("all_channels"));
  setToolTip(
      tr("Does the same, with the same parameters, to each channel whose eye is open. The results "
         "are shown over each other, as the channels are. The preview is of the chosen channel."));
  setChecked(document.runner().to_all_channels());
  connect(this, &QCheckBox::toggled, &document.runner(), &Runner::set_to_all_channels);
  connect(&document.runner(), &Runner::to_all_channels_changed, this, &QCheckBox::setChecked);
  const auto if_current = [this](std::uint64_t id) {
    if (id == document_.items().current_id()) follow_item();
  };
  connect(&document.items(), &ItemList::current_changed, this, &AllChannelsBox::follow_item);
  connect(&document.items(), &ItemList::display_changed, this, if_current);
  connect(&document.items(), &ItemList::data_changed, this, if_current);
  follow_item();
}

void AllChannelsBox::follow_item() {
  const Item* item = document_.items().current();
  bool several = false;
  if (item != nullptr) {
    const std::vector<ItemChannel> channels = document_.channels().of(*item);
    several = std::any_of(channels.begin(), channels.end(),
                          [](const ItemChannel& one) { return !one.chosen && one.look.visible; });
  }
  setVisible(several);
  if (several == several_) return;
  several_ = several;
  emit several_changed();
}

}  // namespace aprscope::gui
