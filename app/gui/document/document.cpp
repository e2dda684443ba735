#include "app/gui/document/document.hpp"

#include <utility>

#include "app/gui/document/large_files.hpp"

namespace aprscope::gui {

Document::Document(std::shared_ptr<const Backend> backend, QObject* parent)
    : QObject(parent),
      edits_(items_, services_),
      view_(items_, services_),
      channels_(items_, view_, services_),
      preview_(items_, services_),
      labels_(items_, preview_),
      corrections_(items_, services_),
      runner_(items_, channels_, preview_, corrections_, services_),
      growing_(items_),
      large_files_(items_, services_),
      opener_(items_, runner_, channels_, large_files_, services_),
      exporter_(items_, channels_, services_),
      workspace_(items_, view_, services_) {
  services_.backend = std::move(backend);
  keep_in_step();
}

Document::~Document() = default;

// Connects the parts. Crosshair and previews are set before other objects hear that another item is
// current; work on the new data begins after all have heard.
void Document::keep_in_step() {
  connect(&large_files_, &LargeFiles::converted, &opener_,
          [this](const QString& path) { opener_.open(QStringList{path}); });
  connect(&items_, &ItemList::current_set, this, [this] {
    view_.follow_current();
    labels_.forget();
    forget_current();
  });
  connect(&items_, &ItemList::current_told, this, [this] {
    emit view_.crosshair_changed(view_.crosshair());
    begin_what_follows();
  });
  // If only labels changed and values are shared, most previews remain valid.
  connect(&items_, &ItemList::data_set, this, [this](std::uint64_t id, bool same_values) {
    if (id != items_.current_id()) return;
    if (!same_values) {
      preview_.follow_data();
      return corrections_.forget();
    }
    preview_.clear();
    preview_.label_preview().reset();
  });
  connect(&items_, &ItemList::data_told, this, [this](std::uint64_t id, bool same_values) {
    if (id != items_.current_id()) return;
    view_.follow_size();
    if (!same_values) return begin_what_follows();
    view_.prepare_raycaster(id);
  });
}

void Document::forget_current() {
  preview_.forget();
  corrections_.forget();
}

// Starts the background work on the data of the current item.
void Document::begin_what_follows() {
  const Item* now = items_.current();
  if (now == nullptr) return;
  view_.prepare_raycaster(now->id);
  // The overview of a file of particles is an image, but nobody wants particles of that.
  const bool image = !now->is_apr() && !now->growing && !file_level(*now);
  if (image) preview_.request_estimate(preview_.convert_operation());
}

void Document::set_backend(std::shared_ptr<const Backend> backend) {
  if (backend == services_.backend) return;
  services_.backend = std::move(backend);
  emit backend_changed();
  // The 3-D view keeps its present raycaster until the new device has made one.
  for (const Item& each : items_.all()) {
    items_.change(each.id, [](Item& item) { item.raycaster.reset(); });
  }
  if (const Item* now = items_.current()) view_.prepare_raycaster(now->id);
  channels_.forget_raycasters();
}

}  // namespace aprscope::gui
