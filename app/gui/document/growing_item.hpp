#pragma once

#include <memory>

#include "app/gui/document/item_list.hpp"

namespace aprscope::gui {

/// What a job is making of an item, as an item of its own that no history knows and that goes with
/// the job. UI thread only.
class GrowingItem {
 public:
  explicit GrowingItem(ItemList& items) : items_(items) {}

  /// Shows what is made of `from`: made at first, and chosen if `from` is, replaced from then on.
  /// Automatic contrast follows until somebody changes it.
  void show(const Item& from, const QString& name, const std::shared_ptr<const Dataset>& dataset,
            const std::shared_ptr<const Histogram>& histogram,
            const std::shared_ptr<const Raycaster>& raycaster);
  /// It goes.
  void end();
  /// 0 while there is none.
  [[nodiscard]] std::uint64_t id() const { return id_; }

 private:
  ItemList& items_;
  std::uint64_t id_ = 0;
};

}  // namespace aprscope::gui
