#include "app/gui/document/item_list.hpp"

#include <algorithm>
#include <utility>

#include "app/gui/document/commands.hpp"
#include "app/gui/document/large_files.hpp"
#include "core/operations/engine/registry.hpp"
#include "core/pipeline/file_execution.hpp"

namespace aprscope::gui {
namespace {

constexpr int kUndoSteps = 200;

}  // namespace

ItemList::ItemList(QObject* parent) : QObject(parent) { undo_.setUndoLimit(kUndoSteps); }

const Item* ItemList::find(std::uint64_t id) const {
  const auto found =
      std::find_if(items_.begin(), items_.end(), [id](const Item& i) { return i.id == id; });
  return found == items_.end() ? nullptr : &*found;
}

QString ItemList::full_name(std::uint64_t id) const {
  const Item* found = find(id);
  if (found == nullptr) return {};
  const QString part = part_text(*found);
  const QString names = lineage(*found);
  return part.isEmpty() ? names : QStringLiteral("%1 (%2)").arg(names, part);
}

QString ItemList::lineage(const Item& of) const {
  const Item* parent = find(of.parent);
  const QString before = parent != nullptr ? lineage(*parent) : of.origin;
  return before.isEmpty() ? of.name : before + QStringLiteral(" › ") + of.name;
}

Item ItemList::detached(const Item& item) const {
  Item copy = item;
  if (const Item* parent = find(item.parent)) copy.origin = lineage(*parent);
  return copy;
}

void ItemList::set_current(std::uint64_t id) {
  if (id != 0 && find(id) == nullptr) return;
  ++choices_;
  if (id != current_) show(id);
}

const Item* ItemList::data_item(const Item& of) const {
  const Item* found = &of;
  while (found != nullptr && found->is_measurement()) found = find(found->parent);
  return found;
}

Item ItemList::data_of(const Item& of) const {
  if (!of.is_measurement()) return detached(of);
  if (const Item* data = data_item(of); data != nullptr && data->dataset == of.dataset) {
    return detached(*data);
  }
  // The measured data is not in the list (any more), so it is made of the measurement.
  Item data = detached(of);
  data.id = of.parent;
  data.measurement.reset();
  if (of.beside_level != 0) {
    data.parent = 0;
    data.beside_level = 0;
    data.recipe.steps = steps_to_level(of.beside_level);
    data.costs.clear();
    return data;
  }
  while (!data.recipe.steps.empty() &&
         traits_of(data.recipe.steps.back()).gives == Gives::measurement) {
    data.recipe.steps.pop_back();
    if (!data.costs.empty()) data.costs.pop_back();
  }
  return data;
}

std::uint64_t ItemList::add(Item item, const QString& what, bool select) {
  item.id = new_id();
  const std::uint64_t id = item.id;
  undo_.push(new AddItemCommand(*this, std::move(item), what, select));
  return id;
}

void ItemList::show(std::uint64_t id) {
  current_ = id;
  emit current_set();
  emit current_changed();
  emit current_told();
}

void ItemList::insert(Item item, std::size_t position) {
  const auto at = std::min(position, items_.size());
  items_.insert(items_.begin() + static_cast<std::ptrdiff_t>(at), std::move(item));
  emit items_changed();
}

Item ItemList::take(std::uint64_t id, std::size_t* position) {
  const auto found =
      std::find_if(items_.begin(), items_.end(), [id](const Item& i) { return i.id == id; });
  const auto at = static_cast<std::size_t>(found - items_.begin());
  if (position != nullptr) *position = at;
  const QString names = lineage(*found);
  for (Item& child : items_) {
    if (child.parent == id) child.origin = names;
  }
  Item gone = std::move(*found);
  items_.erase(found);
  if (current_ == id) {
    // The next current item: the parent, else the neighbour.
    const Item* parent = find(gone.parent);
    const std::uint64_t next = parent != nullptr ? parent->id
                               : items_.empty()  ? 0
                                                 : items_[std::min(at, items_.size() - 1)].id;
    // Views still hold the removed item until show(): until then, no item is current.
    current_ = 0;
    emit items_changed();
    show(next);
    return gone;
  }
  emit taken(id);
  emit items_changed();
  return gone;
}

void ItemList::change(std::uint64_t id, const std::function<void(Item&)>& change) {
  const auto found =
      std::find_if(items_.begin(), items_.end(), [id](const Item& i) { return i.id == id; });
  if (found == items_.end()) return;
  const QString name = found->name;
  const DisplaySettings display = found->display;
  const auto dataset = found->dataset;
  const std::string left_out = found->left_out;
  change(*found);
  const bool renamed = found->name != name;
  const bool shown_otherwise = found->display != display;
  const bool replaced = found->dataset != dataset;
  const bool same_values = found->dataset->shares_values(*dataset);
  if (replaced) emit data_set(id, same_values);
  if (renamed || replaced) emit items_changed();
  if (replaced) {
    emit data_changed(id);
    emit data_told(id, same_values);
  }
  if (shown_otherwise) emit display_changed(id);
  const Item* still = find(id);
  if (still != nullptr && still->left_out != left_out) emit left_out_changed(id);
}

void descend(Item& result, const Item& from, const ItemList& items) {
  result.parent = from.id;
  const Item* still = items.find(from.id);
  // All of a file may have taken the place of its overview meanwhile.
  if (still != nullptr && file_level(from) && !file_level(*still)) {
    result.parent = 0;
    still = nullptr;
  }
  result.origin = items.lineage(still != nullptr ? *still : from);
  result.recipe = from.recipe;
  result.typed_voxel = from.typed_voxel;
  result.file_channels = from.file_channels;
  result.file_times = from.file_times;
}

}  // namespace aprscope::gui
