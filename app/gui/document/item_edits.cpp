#include "app/gui/document/item_edits.hpp"

#include <utility>

#include "app/gui/document/commands.hpp"
#include "app/gui/document/release.hpp"

namespace aprscope::gui {

ItemEdits::ItemEdits(ItemList& items, Services& services) : items_(items), services_(services) {}

void ItemEdits::rename(std::uint64_t id, const QString& name) {
  const Item* found = items_.find(id);
  const QString clean = name.simplified();
  if (found == nullptr || found->growing || clean.isEmpty() || clean == found->name) return;
  items_.undo_stack().push(new RenameCommand(items_, id, clean));
}

void ItemEdits::close(std::uint64_t id) {
  const Item* found = items_.find(id);
  if (found == nullptr) return;
  if (found->growing) {
    services_.messages.say(
        MessageKind::info,
        tr("This result is still being computed: cancel its job, or keep what there is."));
    return;
  }
  items_.undo_stack().push(new CloseItemCommand(items_, id));
}

void ItemEdits::set_voxel_size(std::uint64_t id, const VoxelSize& voxel) {
  const Item* found = items_.find(id);
  if (found == nullptr || found->dataset->voxel() == voxel) return;
  if (found->growing) {
    services_.messages.say(
        MessageKind::info,
        tr("This result is still being computed: cancel its job, or keep what there is."));
    return;
  }
  if (!found->recipe.steps.empty()) {
    services_.messages.say(MessageKind::warning,
                           tr("A result has the voxel size of what it was made from."));
    return;
  }
  services_.jobs.post(
      Lane::preview, tr("Voxel size"), "voxel" + std::to_string(id), this,
      [data = found->dataset, voxel](const JobContext&) -> Result<std::shared_ptr<const Dataset>> {
        return released_elsewhere(Dataset::create(with_voxel_size(*data, voxel)));
      },
      [this, id, voxel,
       before = found->dataset](const Result<std::shared_ptr<const Dataset>>& made) {
        if (!made) {
          services_.messages.say(made.error());
          return;
        }
        const Item* still = items_.find(id);
        // Another channel was loaded meanwhile, which has the voxel size of the file.
        if (still == nullptr || still->dataset != before) return;
        items_.undo_stack().push(new VoxelCommand(items_, id, *made, voxel));
      });
}

void ItemEdits::set_left_out(std::uint64_t id, const std::string& rows) {
  const Item* found = items_.find(id);
  if (found == nullptr || found->left_out == rows) return;
  items_.undo_stack().push(new LeftOutCommand(items_, id, rows));
}

void ItemEdits::set_display(std::uint64_t id, const DisplaySettings& display) {
  const Item* found = items_.find(id);
  if (found == nullptr || found->display == display || !found->supports(display.mode)) return;
  if (found->growing) {
    // The item exists only while its job runs, so an undo step would outlive it.
    items_.change(id, [&](Item& item) { item.display = display; });
    return;
  }
  items_.undo_stack().push(new DisplayCommand(items_, id, display));
}

void ItemEdits::set_automatic_contrast(std::uint64_t id) {
  const Item* found = items_.find(id);
  if (found == nullptr || !found->histogram) return;
  DisplaySettings display = found->display;
  const double gamma = display.contrast.gamma;
  display.contrast = automatic_contrast(*found->histogram);
  display.contrast.gamma = gamma;
  if (display.composite) {
    for (ChannelDisplay& channel : display.channels) channel.contrast.reset();
  }
  set_display(id, display);
}

}  // namespace aprscope::gui
