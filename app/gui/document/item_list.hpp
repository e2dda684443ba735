#pragma once

#include <QObject>
#include <QUndoStack>
#include <functional>
#include <vector>

#include "app/gui/document/item.hpp"

namespace aprscope::gui {

/// The data list: its items, which of them is current, and the undo stack of all that changes them.
/// UI thread only.
///
/// References and pointers to items hold until the next change of the list.
class ItemList : public QObject {
  Q_OBJECT

 public:
  explicit ItemList(QObject* parent = nullptr);

  [[nodiscard]] const std::vector<Item>& all() const { return items_; }
  /// Null for an unknown id.
  [[nodiscard]] const Item* find(std::uint64_t id) const;
  /// Null while the list is empty.
  [[nodiscard]] const Item* current() const { return find(current_); }
  /// 0 while the list is empty.
  [[nodiscard]] std::uint64_t current_id() const { return current_; }
  void set_current(std::uint64_t id);
  /// How often somebody has chosen an item. What was started before the last choice is announced
  /// when it is done, and not selected: whoever has gone on is not called back.
  [[nodiscard]] std::uint64_t choices() const { return choices_; }

  /// Name with those of what it was made from, whether that is still there or not, and the part of
  /// the file: "cells › particles › Gaussian (channel 2)".
  [[nodiscard]] QString full_name(std::uint64_t id) const;
  /// The same without the part.
  [[nodiscard]] QString lineage(const Item& item) const;
  /// A copy that keeps where it came from, whatever becomes of the list.
  [[nodiscard]] Item detached(const Item& item) const;
  /// The item itself; of a measurement the item that was measured. Null: that is gone.
  [[nodiscard]] const Item* data_item(const Item& item) const;
  /// The item itself; of a measurement the data that was measured, with the recipe that leads there
  /// (its id may be gone from the list).
  [[nodiscard]] Item data_of(const Item& item) const;

  [[nodiscard]] QUndoStack& undo_stack() { return undo_; }
  /// An id that no item has, or had.
  [[nodiscard]] std::uint64_t new_id() { return next_id_++; }
  /// Adds an item, undoable; `select`: it becomes current. Returns the id that it gets.
  std::uint64_t add(Item item, const QString& what, bool select = true);

  // For undo commands and parts of the document only: change the list without a step of history.
  void insert(Item item, std::size_t position);
  void show(std::uint64_t id);
  Item take(std::uint64_t id, std::size_t* position = nullptr);
  void change(std::uint64_t id, const std::function<void(Item&)>& change);

 signals:
  /// The list changed: an item came, went, or got another name.
  void items_changed();
  /// Another item is current, or none.
  void current_changed();
  /// The data of an item was replaced (another channel or time point).
  void data_changed(std::uint64_t id);
  /// Display settings of an item changed.
  void display_changed(std::uint64_t id);
  /// Other rows of an item are left out.
  void left_out_changed(std::uint64_t id);

  // For the document, which keeps its parts in step: before the others hear of it, and after.
  /// `before`: the size of what was current; zeros for nothing.
  void current_set(const aprscope::Size3& before);
  void current_told();
  void data_set(std::uint64_t id, bool same_values);
  void data_told(std::uint64_t id, bool same_values);
  /// An item that was not the current one left the list.
  void taken(std::uint64_t id);

 private:
  std::vector<Item> items_;
  std::uint64_t current_ = 0;
  std::uint64_t next_id_ = 1;
  std::uint64_t choices_ = 0;
  QUndoStack undo_;
};

/// Gives a result what it has from the item that it was made of.
void descend(Item& result, const Item& from, const ItemList& items);

}  // namespace aprscope::gui
