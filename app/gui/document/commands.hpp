#pragma once

#include <QUndoCommand>
#include <string>

#include "app/gui/document/corrections.hpp"
#include "app/gui/document/item_list.hpp"

namespace aprscope::gui {

/// Adds an item (undo: removes it). Keeps the item while it is not in the list, so that redo
/// restores exactly the same data.
class AddItemCommand : public QUndoCommand {
 public:
  /// `select`: makes the item current the first time; redo always does, as the user asked for it.
  AddItemCommand(ItemList& items, Item item, const QString& text, bool select);
  void undo() override;
  void redo() override;

 private:
  ItemList& items_;
  std::optional<Item> held_;
  std::uint64_t id_;
  std::uint64_t current_before_;
  bool select_;
};

/// Removes an item (undo: restores it at its place).
class CloseItemCommand : public QUndoCommand {
 public:
  CloseItemCommand(ItemList& items, std::uint64_t id);
  void undo() override;
  void redo() override;

 private:
  ItemList& items_;
  std::uint64_t id_;
  std::optional<Item> held_;
  std::size_t position_ = 0;
};

/// Sets the voxel size of an original.
class VoxelCommand : public QUndoCommand {
 public:
  VoxelCommand(ItemList& items, std::uint64_t id, std::shared_ptr<const Dataset> data,
               const VoxelSize& voxel);
  void undo() override { swap(); }
  void redo() override { swap(); }

 private:
  void swap();

  ItemList& items_;
  std::uint64_t id_;
  /// The data that the item does not have now; created anew if it shows another channel meanwhile.
  std::shared_ptr<const Dataset> data_;
  std::shared_ptr<const Dataset> shown_;
  std::optional<VoxelSize> voxel_;
};

/// Data with labels that a step has changed, and how to undo the change.
struct Amendment {
  std::shared_ptr<const Dataset> data;
  /// Null: undo restores the data from before, which shares its values (particles).
  std::shared_ptr<const LabelChange> change;
  Operation step;
  StepCost cost;
};

/// Changes the labels of an item in place. Keeps only the changes, not all labels.
class AmendCommand : public QUndoCommand {
 public:
  AmendCommand(ItemList& items, Corrections& corrections, std::uint64_t id, Amendment made,
               const QString& text);
  void undo() override { turn(false); }
  void redo() override { turn(true); }

 private:
  void turn(bool forward);
  [[nodiscard]] std::shared_ptr<const Dataset> turned(const Dataset& now, bool forward) const;

  ItemList& items_;
  Corrections& corrections_;
  std::uint64_t id_;
  std::shared_ptr<const LabelChange> change_;
  /// Without a change: the data that the item does not have now; else the data for the first redo.
  std::shared_ptr<const Dataset> data_;
  std::size_t labels_ = 0;
  Recipe recipe_;
  std::vector<StepCost> costs_;
};

class RenameCommand : public QUndoCommand {
 public:
  RenameCommand(ItemList& items, std::uint64_t id, QString name);
  void undo() override;
  void redo() override;

 private:
  ItemList& items_;
  std::uint64_t id_;
  QString before_;
  QString after_;
};

/// Sets which rows of a set of projections are left out.
class LeftOutCommand : public QUndoCommand {
 public:
  LeftOutCommand(ItemList& items, std::uint64_t id, std::string rows);
  void undo() override { swap(); }
  void redo() override { swap(); }

 private:
  void swap();

  ItemList& items_;
  std::uint64_t id_;
  /// The rows that the item does not have now.
  std::string rows_;
};

/// Sets display settings; successive changes of the same setting merge into one undo step.
class DisplayCommand : public QUndoCommand {
 public:
  DisplayCommand(ItemList& items, std::uint64_t id, DisplaySettings after);
  void undo() override;
  void redo() override;
  [[nodiscard]] int id() const override { return 1; }
  bool mergeWith(const QUndoCommand* other) override;

 private:
  ItemList& items_;
  std::uint64_t item_;
  DisplaySettings before_;
  DisplaySettings after_;
};

}  // namespace aprscope::gui
