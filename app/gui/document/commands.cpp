#include "app/gui/document/commands.hpp"

#include <utility>

#include "app/gui/document/release.hpp"
#include "core/operations/engine/known_records.hpp"

namespace aprscope::gui {
namespace {

QString tr(const char* text) { return QObject::tr(text); }

// Which part of the settings a change is about, in words; changes of several parts are their own.
QString changed_part(const DisplaySettings& a, const DisplaySettings& b) {
  QStringList parts;
  if (a.contrast.low != b.contrast.low || a.contrast.high != b.contrast.high)
    parts << tr("Contrast");
  if (a.contrast.gamma != b.contrast.gamma) parts << tr("Gamma");
  if (a.colormap != b.colormap) parts << tr("Colours");
  if (a.mode != b.mode) parts << tr("Display mode");
  if (a.scale_bar != b.scale_bar) parts << tr("Scale bar");
  if (a.crosshair != b.crosshair) parts << tr("Crosshair");
  return parts.join(QStringLiteral(", "));
}

}  // namespace

AddItemCommand::AddItemCommand(Document& document, Item item, const QString& text, bool select)
    : QUndoCommand(text),
      document_(document),
      held_(std::move(item)),
      id_(held_->id),
      current_before_(document.current() != nullptr ? document.current()->id : 0),
      select_(select) {}

void AddItemCommand::redo() {
  document_.insert_item(*std::move(held_), document_.items().size());
  held_.reset();
  // The first result of an empty list is looked at in any case.
  if (std::exchange(select_, true) || document_.current() == nullptr) document_.show_item(id_);
}

void AddItemCommand::undo() {
  const bool shown = document_.current() != nullptr && document_.current()->id == id_;
  held_ = document_.take_item(id_);
  if (shown && document_.item(current_before_) != nullptr) document_.set_current(current_before_);
}

CloseItemCommand::CloseItemCommand(Document& document, std::uint64_t id)
    : document_(document), id_(id) {
  setText(tr("Remove %1").arg(document.item(id)->name));
}

void CloseItemCommand::redo() { held_ = document_.take_item(id_, &position_); }

void CloseItemCommand::undo() {
  document_.insert_item(*std::move(held_), position_);
  held_.reset();
  document_.set_current(id_);
}

VoxelCommand::VoxelCommand(Document& document, std::uint64_t id,
                           std::shared_ptr<const Dataset> data, const VoxelSize& voxel)
    : document_(document),
      id_(id),
      data_(std::move(data)),
      shown_(document.item(id)->dataset),
      voxel_(voxel) {
  setText(tr("Voxel size of %1").arg(document.item(id)->name));
}

void VoxelCommand::swap() {
  document_.change_item(id_, [this](Item& item) {
    // Of another channel or time point by now: that keeps its pixels.
    if (item.dataset != shown_) {
      data_ = Dataset::create(with_voxel_size(*item.dataset, data_->voxel()));
    }
    std::swap(item.dataset, data_);
    shown_ = item.dataset;
    std::swap(item.typed_voxel, voxel_);
    item.raycaster.reset();
  });
}

AmendCommand::AmendCommand(Document& document, std::uint64_t id, Amendment made,
                           const QString& text)
    : document_(document),
      id_(id),
      change_(std::move(made.change)),
      data_(std::move(made.data)),
      labels_(data_->labels()->values.size()) {
  setText(text);
  const Item& item = *document.item(id);
  recipe_ = item.recipe;
  recipe_.steps.push_back(std::move(made.step));
  costs_ = item.costs;
  costs_.push_back(std::move(made.cost));
}

std::shared_ptr<const Dataset> AmendCommand::turned(const Dataset& now, bool forward) const {
  AmendedLabels& amended = document_.amended_labels();
  auto labels =
      forward ? amended.applied(now.labels(), change_) : amended.reverted(now.labels(), change_);
  return released_elsewhere(
      now.with_labels(std::move(labels), {}, known_after(now.known_labels(), *change_)));
}

void AmendCommand::turn(bool forward) {
  document_.change_item(id_, [&](Item& item) {
    if (change_ == nullptr || data_ != nullptr) {
      std::swap(item.dataset, data_);
      if (change_ != nullptr) data_.reset();
    } else if (item.dataset->labels() && item.dataset->labels()->values.size() == labels_) {
      item.dataset = turned(*item.dataset, forward);
    }
    std::swap(item.recipe, recipe_);
    std::swap(item.costs, costs_);
    // No file holds this state.
    item.saved_as.clear();
    item.saved_stamp.reset();
  });
}

RenameCommand::RenameCommand(Document& document, std::uint64_t id, QString name)
    : document_(document), id_(id), before_(document.item(id)->name), after_(std::move(name)) {
  setText(tr("Rename to %1").arg(after_));
}

void RenameCommand::redo() {
  document_.change_item(id_, [this](Item& item) { item.name = after_; });
}

void RenameCommand::undo() {
  document_.change_item(id_, [this](Item& item) { item.name = before_; });
}

LeftOutCommand::LeftOutCommand(Document& document, std::uint64_t id, std::string rows)
    : document_(document), id_(id), rows_(std::move(rows)) {
  setText(tr("Rows of %1").arg(document.item(id)->name));
}

void LeftOutCommand::swap() {
  document_.change_item(id_, [this](Item& item) { std::swap(item.left_out, rows_); });
}

DisplayCommand::DisplayCommand(Document& document, std::uint64_t id, DisplaySettings after)
    : document_(document),
      item_(id),
      before_(document.item(id)->display),
      after_(std::move(after)) {
  setText(changed_part(before_, after_));
}

void DisplayCommand::redo() {
  document_.change_item(item_, [this](Item& item) { item.display = after_; });
}

void DisplayCommand::undo() {
  document_.change_item(item_, [this](Item& item) { item.display = before_; });
}

bool DisplayCommand::mergeWith(const QUndoCommand* other) {
  const auto* next = static_cast<const DisplayCommand*>(other);
  if (next->item_ != item_ || next->text() != text()) return false;
  after_ = next->after_;
  if (before_ == after_) setObsolete(true);
  return true;
}

}  // namespace aprscope::gui
