#include "app/gui/document/paint_choice.hpp"

#include <algorithm>

#include "core/operations/engine/registry.hpp"

namespace aprscope::gui {

bool is_in_angstrom(const Item& item) {
  return !item.recipe.steps.empty() && traits_of(item.recipe.steps.back()).gives_angstrom;
}

PaintChoice::PaintChoice(ItemList& items, QObject* parent) : QObject(parent), items_(items) {
  connect(&items_, &ItemList::data_set, this, [this](std::uint64_t id, bool same_values) {
    // With other values it is another image, which the user has not chosen.
    if (id == chosen_ && !same_values) chosen_ = 0;
  });
  connect(&items_, &ItemList::items_changed, this, &PaintChoice::follow);
  connect(&items_, &ItemList::current_changed, this, &PaintChoice::follow);
}

// Gives up a choice that does not fit the current item, so that it does not come back later.
void PaintChoice::follow() {
  const Item* item = items_.find(chosen_);
  if (items_.current() != nullptr && (item == nullptr || !fits(*item))) chosen_ = 0;
  emit changed();
}

bool PaintChoice::fits(const Item& item) const {
  const Item* now = items_.current();
  if (now == nullptr || item.is_apr() || item.is_measurement() || item.growing) return false;
  if (item.dataset->volume().projections || now->dataset->size().z < 2) return false;
  return item.dataset->size() == now->dataset->size() &&
         !item.dataset->shares_values(*now->dataset);
}

std::vector<const Item*> PaintChoice::offered() const {
  std::vector<const Item*> all;
  for (const Item& item : items_.all()) {
    if (fits(item)) all.push_back(&item);
  }
  const Item* now = items_.current();
  const Item* data = now != nullptr ? items_.data_item(*now) : nullptr;
  const auto place = [&](const Item* item) {
    if (!is_in_angstrom(*item)) return 2;
    return data != nullptr && item->parent == data->id ? 0 : 1;
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const Item* a, const Item* b) { return place(a) < place(b); });
  return all;
}

QString PaintChoice::title(const Item& item) const {
  QString name = items_.full_name(item.id);
  if (!is_in_angstrom(item)) return name;
  const OperationSchema* schema = find_schema(item.recipe.steps.back().id);
  return schema == nullptr ? name : tr("%1 (%2)").arg(QString::fromStdString(schema->label), name);
}

const Item* PaintChoice::chosen() const {
  const Item* item = items_.find(chosen_);
  return item != nullptr && fits(*item) ? item : nullptr;
}

void PaintChoice::choose(std::uint64_t id) {
  const Item* item = items_.find(id);
  if (item == nullptr || !fits(*item)) id = 0;
  if (id == chosen_) return;
  chosen_ = id;
  emit changed();
}

}  // namespace aprscope::gui
