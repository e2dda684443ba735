#pragma once

#include <QObject>
#include <vector>

#include "app/gui/document/item_list.hpp"

namespace aprscope::gui {

/// Whether the values of an item are lengths in Å, by the step that made it, such as the resolution
/// of a map at each place.
bool is_in_angstrom(const Item& item);

/// Which item of the list colours the surface of the current one in the 3-D view. UI thread only.
class PaintChoice : public QObject {
  Q_OBJECT

 public:
  explicit PaintChoice(ItemList& items, QObject* parent = nullptr);

  /// Those that can: pixels of the same size. Those in Å come first, among them what was made of
  /// the current item; they hold until the next change of the list.
  [[nodiscard]] std::vector<const Item*> offered() const;
  /// What to call one of them: its names, and in front of those what it is where a step says so.
  [[nodiscard]] QString title(const Item& item) const;
  /// Null: the surface has one colour.
  [[nodiscard]] const Item* chosen() const;
  /// An item that is offered; 0: one colour.
  void choose(std::uint64_t id);

 signals:
  /// Another one is chosen or none, or others are offered.
  void changed();

 private:
  [[nodiscard]] bool fits(const Item& item) const;
  void follow();

  ItemList& items_;
  std::uint64_t chosen_ = 0;
};

}  // namespace aprscope::gui
