#pragma once

#include <QObject>
#include <QUndoStack>
#include <functional>
#include <vector>

#include "app/gui/document/item.hpp"

namespace aprscope::gui {

/// The data list: its items, the current item, and the undo stack of everything that changes them.
/// UI thread only.
///
/// References and pointers to items are valid until the next change of the list.
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
  /// Counts how often the user has chosen an item. The result of a job started before the last
  /// choice is announced but not made current, as the user has moved on.
  [[nodiscard]] std::uint64_t choices() const { return choices_; }

  /// The item's name after those of the items that it was made from (also removed ones), and the
  /// part of the file: "cells › particles › Gaussian (channel 2)".
  [[nodiscard]] QString full_name(std::uint64_t id) const;
  /// The same without the part of the file.
  [[nodiscard]] QString lineage(const Item& item) const;
  /// A copy that remembers the names of its origin, so that it does not depend on the list.
  [[nodiscard]] Item detached(const Item& item) const;
  /// The item itself; for a measurement, the item that was measured. Null: it was removed.
  [[nodiscard]] const Item* data_item(const Item& item) const;
  /// The item itself; for a measurement, the measured data with the recipe that leads to it (its id
  /// may be that of a removed item).
  [[nodiscard]] Item data_of(const Item& item) const;

  [[nodiscard]] QUndoStack& undo_stack() { return undo_; }
  /// A new id, which no item has had before.
  [[nodiscard]] std::uint64_t new_id() { return next_id_++; }
  /// Adds an item, undoable; `select`: makes it current. Returns its id.
  std::uint64_t add(Item item, const QString& what, bool select = true);

  // For undo commands and parts of the document only: these change the list without an undo step.
  void insert(Item item, std::size_t position);
  void show(std::uint64_t id);
  Item take(std::uint64_t id, std::size_t* position = nullptr);
  void change(std::uint64_t id, const std::function<void(Item&)>& change);

 signals:
  /// An item was added, removed or renamed.
  void items_changed();
  /// Another item is current, or none.
  void current_changed();
  /// The data of an item was replaced (another channel or time point).
  void data_changed(std::uint64_t id);
  /// Display settings of an item changed.
  void display_changed(std::uint64_t id);
  /// Other rows of an item are left out of reconstructions.
  void left_out_changed(std::uint64_t id);

  // For the document only, to keep its parts in step: emitted before / after other signals.
  void current_set();
  void current_told();
  void data_set(std::uint64_t id, bool same_values);
  void data_told(std::uint64_t id, bool same_values);
  /// An item that was not the current one was removed.
  void taken(std::uint64_t id);

 private:
  std::vector<Item> items_;
  std::uint64_t current_ = 0;
  std::uint64_t next_id_ = 1;
  std::uint64_t choices_ = 0;
  QUndoStack undo_;
};

/// Gives a result the properties that it inherits from the item it was made of.
void descend(Item& result, const Item& from, const ItemList& items);

}  // namespace aprscope::gui
