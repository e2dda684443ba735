// What a job has made so far, as an item that comes and goes with it.
#include <utility>

#include "app/gui/document/document.hpp"

namespace aprscope::gui {

void Document::show_growing(const Item& from, const QString& name,
                            const std::shared_ptr<const Dataset>& dataset,
                            const std::shared_ptr<const Histogram>& histogram,
                            const std::shared_ptr<const Raycaster>& raycaster) {
  if (growing_ == 0) {
    Item item;
    item.id = growing_ = next_id_++;
    item.growing = true;
    item.name = name;
    item.dataset = dataset;
    item.histogram = histogram;
    item.raycaster = raycaster;
    descend(item, from);
    item.display = from.display;
    item.display.mode = first_mode(*dataset);
    item.display.contrast = automatic_contrast(*histogram);
    const std::uint64_t id = item.id;
    insert_item(std::move(item), items_.size());
    // Whoever has gone on is not called back.
    if (current_ == from.id) make_current(id);
    return;
  }
  change_item(growing_, [&](Item& item) {
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

void Document::end_growing() {
  if (growing_ != 0) take_item(std::exchange(growing_, 0));
}

}  // namespace aprscope::gui
