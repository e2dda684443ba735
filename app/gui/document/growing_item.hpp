#pragma once

#include <memory>

#include "app/gui/document/item_list.hpp"

namespace aprscope::gui {

/// The unfinished result of a job as an item of the list. It is not part of the history and is
/// removed when the job ends. UI thread only.
class GrowingItem {
 public:
  explicit GrowingItem(ItemList& items) : items_(items) {}

  /// The first call adds an item with the data, and makes it current if `from` is; later calls
  /// replace its data. The contrast is automatic until the user changes it.
  void show(const Item& from, const QString& name, const std::shared_ptr<const Dataset>& dataset,
            const std::shared_ptr<const Histogram>& histogram,
            const std::shared_ptr<const Raycaster>& raycaster);
  /// Removes the item.
  void end();
  /// The id of the item; 0 if there is none.
  [[nodiscard]] std::uint64_t id() const { return id_; }

 private:
  ItemList& items_;
  std::uint64_t id_ = 0;
};

}  // namespace aprscope::gui
