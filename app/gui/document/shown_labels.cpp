#include "app/gui/document/shown_labels.hpp"

namespace aprscope::gui {

ShownLabels::ShownLabels(ItemList& items, PreviewState& preview)
    : items_(items), preview_(preview) {
  connect(&preview_.label_preview(), &LabelPreview::changed, this, &ShownLabels::changed);
  connect(&items_, &ItemList::data_set, this, &ShownLabels::follow_data);
  connect(&items_, &ItemList::taken, this, &ShownLabels::follow_taken);
}

// If the shown labels belong to this item, they changed with it, or do not fit any more.
void ShownLabels::follow_data(std::uint64_t id) {
  if (other_ == 0) return;
  const bool lies_over = other_ == id;
  const Item* other = items_.find(other_);
  if (other == nullptr || !fits(*other)) other_ = 0;
  if (lies_over) emit changed();
}

// When an item is removed, its labels are no longer drawn over the current item.
void ShownLabels::follow_taken(std::uint64_t id) {
  if (other_ == 0 || other_ != id) return;
  other_ = 0;
  emit changed();
}

bool ShownLabels::fits(const Item& other) const {
  const Item* now = items_.current();
  if (now == nullptr || other.is_measurement() || !other.dataset->labels()) return false;
  if (other.is_apr()) {
    return now->is_apr() && now->dataset->apr().access == other.dataset->apr().access;
  }
  return now->dataset->size() == other.dataset->size();
}

void ShownLabels::show_those_of(std::uint64_t id) {
  const Item* other = items_.find(id);
  if (other != nullptr && !fits(*other)) id = 0;
  if (other == nullptr || other == items_.current()) id = 0;
  if (id == other_) return;
  other_ = id;
  emit changed();
}

std::shared_ptr<const Labels> ShownLabels::labels() const {
  const Item* item = items_.current();
  if (item == nullptr) return nullptr;
  if (auto previewed = preview_.labels()) return previewed;
  // The other item may have been removed, or may now be another image.
  const Item* other = other_ != 0 ? items_.find(other_) : nullptr;
  return other != nullptr && fits(*other) ? other->dataset->labels() : item->dataset->labels();
}

}  // namespace aprscope::gui
