#pragma once

#include <QUndoCommand>
#include <string>

#include "app/gui/document/corrections.hpp"
#include "app/gui/document/item_list.hpp"

namespace aprscope::gui {

/// An item comes (undo: goes). It holds the item while it is out of the list, so that redo puts the
/// very same data back.
class AddItemCommand : public QUndoCommand {
 public:
  /// `select`: the first time, too; done again, it is what somebody asked for.
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

/// An item goes (undo: comes back where it was).
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

/// An original gets another voxel size.
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
  /// What the item does not have now, and what it has if nobody chose another channel meanwhile.
  std::shared_ptr<const Dataset> data_;
  std::shared_ptr<const Dataset> shown_;
  std::optional<VoxelSize> voxel_;
};

/// Data whose labels a step changed, and how that is taken back.
struct Amendment {
  std::shared_ptr<const Dataset> data;
  /// Null: by taking the data from before, whose values are shared (particles).
  std::shared_ptr<const LabelChange> change;
  Operation step;
  StepCost cost;
};

/// A step changes the labels of an item in its place. It keeps what changes, not the labels.
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
  /// Without a change: what the item does not have now; else what it gets the first time.
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

/// Other rows of a set of projections are left out.
class LeftOutCommand : public QUndoCommand {
 public:
  LeftOutCommand(ItemList& items, std::uint64_t id, std::string rows);
  void undo() override { swap(); }
  void redo() override { swap(); }

 private:
  void swap();

  ItemList& items_;
  std::uint64_t id_;
  /// What the item does not have now.
  std::string rows_;
};

/// Changes of the same part of the display settings in a row merge into one step.
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
