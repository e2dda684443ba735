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

  /// Items that can colour the surface: pixels of the same size. Those in Å come first, and among
  /// them those made of the current item. Valid until the next change of the list.
  [[nodiscard]] std::vector<const Item*> offered() const;
  /// The title of an item for the list: its names, after what it shows if a step tells that.
  [[nodiscard]] QString title(const Item& item) const;
  /// The chosen item; null: the surface has one colour.
  [[nodiscard]] const Item* chosen() const;
  /// Chooses an offered item; 0: one colour.
  void choose(std::uint64_t id);

 signals:
  /// Another item is chosen, none is, or others are offered.
  void changed();

 private:
  [[nodiscard]] bool fits(const Item& item) const;
  void follow();

  ItemList& items_;
  std::uint64_t chosen_ = 0;
};

}  // namespace aprscope::gui
