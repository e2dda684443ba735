#include "app/gui/document/growing_item.hpp"

#include <utility>

namespace aprscope::gui {

void GrowingItem::show(const Item& from, const QString& name,
                       const std::shared_ptr<const Dataset>& dataset,
                       const std::shared_ptr<const Histogram>& histogram,
                       const std::shared_ptr<const Raycaster>& raycaster) {
  if (id_ == 0) {
    Item item;
    item.id = id_ = items_.new_id();
    item.growing = true;
    item.name = name;
    item.dataset = dataset;
    item.histogram = histogram;
    item.raycaster = raycaster;
    descend(item, from, items_);
    item.display = from.display;
    item.display.mode = first_mode(*dataset);
    item.display.contrast = automatic_contrast(*histogram);
    const std::uint64_t id = item.id;
    items_.insert(std::move(item), items_.all().size());
    // Does not become current if the user has chosen another item meanwhile.
    if (items_.current_id() == from.id) items_.show(id);
    return;
  }
  items_.change(id_, [&](Item& item) {
    const Contrast before = automatic_contrast(*item.histogram);
    const Contrast& shown = item.display.contrast;
    if (shown.low == before.low && shown.high == before.high) {
      const double gamma = shown.gamma;
      item.display.contrast = automatic_contrast(*histogram);
      item.display.contrast.gamma = gamma;
    }
    item.name = name;
    item.dataset = dataset;
    item.histogram = histogram;
    item.raycaster = raycaster;
  });
}

void GrowingItem::end() {
  if (id_ != 0) items_.take(std::exchange(id_, 0));
}

}  // namespace aprscope::gui
