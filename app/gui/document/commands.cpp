#include "app/gui/document/commands.hpp"

#include <algorithm>
#include <utility>

#include "app/gui/document/release.hpp"
#include "core/operations/engine/known_records.hpp"

namespace aprscope::gui {
namespace {

QString tr(const char* text) { return QObject::tr(text); }

QStringList changed_channels(const std::vector<ChannelDisplay>& a,
                             const std::vector<ChannelDisplay>& b) {
  QStringList parts;
  for (std::size_t c = 0; c < std::min(a.size(), b.size()); ++c) {
    const QString number = QString::number(c + 1);
    if (a[c].visible != b[c].visible) parts << tr("Channel %1 shown").arg(number);
    if (a[c].colour != b[c].colour) parts << tr("Colour of channel %1").arg(number);
    if (a[c].contrast != b[c].contrast) parts << tr("Contrast of channel %1").arg(number);
  }
  return parts;
}

// Names the part of the settings that changed; changes of several parts have no common name.
QString changed_part(const DisplaySettings& a, const DisplaySettings& b) {
  QStringList parts;
  if (a.contrast.low != b.contrast.low || a.contrast.high != b.contrast.high)
    parts << tr("Contrast");
  if (a.contrast.gamma != b.contrast.gamma) parts << tr("Gamma");
  if (a.colormap != b.colormap) parts << tr("Colours");
  if (a.mode != b.mode) parts << tr("Display mode");
  if (a.scale_bar != b.scale_bar) parts << tr("Scale bar");
  if (a.crosshair != b.crosshair) parts << tr("Crosshair");
  if (a.composite != b.composite) {
    parts << (b.composite ? tr("All channels") : tr("One channel"));
  } else {
    parts << changed_channels(a.channels, b.channels);
  }
  return parts.join(QStringLiteral(", "));
}

}  // namespace

AddItemCommand::AddItemCommand(ItemList& items, Item item, const QString& text, bool select)
    : QUndoCommand(text),
      items_(items),
      held_(std::move(item)),
      id_(held_->id),
      current_before_(items.current() != nullptr ? items.current()->id : 0),
      select_(select) {}

void AddItemCommand::redo() {
  items_.insert(*std::move(held_), items_.all().size());
  held_.reset();
  // The first item of an empty list is always shown.
  if (std::exchange(select_, true) || items_.current() == nullptr) items_.show(id_);
}

void AddItemCommand::undo() {
  const bool shown = items_.current() != nullptr && items_.current()->id == id_;
  held_ = items_.take(id_);
  if (shown && items_.find(current_before_) != nullptr) items_.set_current(current_before_);
}

CloseItemCommand::CloseItemCommand(ItemList& items, std::uint64_t id) : items_(items), id_(id) {
  setText(tr("Remove %1").arg(items.find(id)->name));
}

void CloseItemCommand::redo() { held_ = items_.take(id_, &position_); }

void CloseItemCommand::undo() {
  items_.insert(*std::move(held_), position_);
  held_.reset();
  items_.set_current(id_);
}

VoxelCommand::VoxelCommand(ItemList& items, std::uint64_t id, std::shared_ptr<const Dataset> data,
                           const VoxelSize& voxel)
    : items_(items),
      id_(id),
      data_(std::move(data)),
      shown_(items.find(id)->dataset),
      voxel_(voxel) {
  setText(tr("Voxel size of %1").arg(items.find(id)->name));
}

void VoxelCommand::swap() {
  items_.change(id_, [this](Item& item) {
    // The item shows another channel or time point by now: change the voxel size of these pixels.
    if (item.dataset != shown_) {
      data_ = Dataset::create(with_voxel_size(*item.dataset, data_->voxel()));
    }
    std::swap(item.dataset, data_);
    shown_ = item.dataset;
    std::swap(item.typed_voxel, voxel_);
    item.raycaster.reset();
  });
}

AmendCommand::AmendCommand(ItemList& items, Corrections& corrections, std::uint64_t id,
                           Amendment made, const QString& text)
    : items_(items),
      corrections_(corrections),
      id_(id),
      change_(std::move(made.change)),
      data_(std::move(made.data)),
      labels_(data_->labels()->values.size()) {
  setText(text);
  const Item& item = *items.find(id);
  recipe_ = item.recipe;
  recipe_.steps.push_back(std::move(made.step));
  costs_ = item.costs;
  costs_.push_back(std::move(made.cost));
}

std::shared_ptr<const Dataset> AmendCommand::turned(const Dataset& now, bool forward) const {
  AmendedLabels& amended = corrections_.amended_labels();
  auto labels =
      forward ? amended.applied(now.labels(), change_) : amended.reverted(now.labels(), change_);
  return released_elsewhere(
      now.with_labels(std::move(labels), {}, known_after(now.known_labels(), *change_)));
}

void AmendCommand::turn(bool forward) {
  items_.change(id_, [&](Item& item) {
    if (change_ == nullptr || data_ != nullptr) {
      std::swap(item.dataset, data_);
      if (change_ != nullptr) data_.reset();
    } else if (item.dataset->labels() && item.dataset->labels()->values.size() == labels_) {
      item.dataset = turned(*item.dataset, forward);
    }
    std::swap(item.recipe, recipe_);
    std::swap(item.costs, costs_);
    // No file holds this changed state.
    item.saved_as.clear();
    item.saved_stamp.reset();
  });
}

RenameCommand::RenameCommand(ItemList& items, std::uint64_t id, QString name)
    : items_(items), id_(id), before_(items.find(id)->name), after_(std::move(name)) {
  setText(tr("Rename to %1").arg(after_));
}

void RenameCommand::redo() {
  items_.change(id_, [this](Item& item) { item.name = after_; });
}

void RenameCommand::undo() {
  items_.change(id_, [this](Item& item) { item.name = before_; });
}

LeftOutCommand::LeftOutCommand(ItemList& items, std::uint64_t id, std::string rows)
    : items_(items), id_(id), rows_(std::move(rows)) {
  setText(tr("Rows of %1").arg(items.find(id)->name));
}

void LeftOutCommand::swap() {
  items_.change(id_, [this](Item& item) { std::swap(item.left_out, rows_); });
}

DisplayCommand::DisplayCommand(ItemList& items, std::uint64_t id, DisplaySettings after)
    : items_(items), item_(id), before_(items.find(id)->display), after_(std::move(after)) {
  setText(changed_part(before_, after_));
}

void DisplayCommand::redo() {
  items_.change(item_, [this](Item& item) { item.display = after_; });
}

void DisplayCommand::undo() {
  items_.change(item_, [this](Item& item) { item.display = before_; });
}

bool DisplayCommand::mergeWith(const QUndoCommand* other) {
  const auto* next = static_cast<const DisplayCommand*>(other);
  if (next->item_ != item_ || next->text() != text()) return false;
  after_ = next->after_;
  if (before_ == after_) setObsolete(true);
  return true;
}

}  // namespace aprscope::gui
