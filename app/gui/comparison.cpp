#include "app/gui/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace aprscope::gui {

std::optional<Axis> axis_of(ComparePlace place) {
  switch (place) {
    case ComparePlace::xy:
      return Axis::z;
    case ComparePlace::yz:
      return Axis::x;
    case ComparePlace::xz:
      return Axis::y;
    case ComparePlace::volume:
      break;
  }
  return std::nullopt;
}

Comparison::Comparison(Document& document, QObject* parent) : QObject(parent), document_(document) {
  connect(&document_, &Document::items_changed, this, &Comparison::follow_items);
  connect(&document_, &Document::current_changed, this, &Comparison::follow_current);
  connect(&document_, &Document::data_changed, this, [this](std::uint64_t id) {
    if (active_ && (id == a_ || id == b_)) emit sides_changed();
  });
  connect(&document_, &Document::display_changed, this, [this](std::uint64_t id) {
    if (!active_ || (id != a_ && id != b_)) return;
    contrast_of_ = id;
    emit display_changed();
  });
}

Status Comparison::set_active(bool active) {
  if (active == active_) return {};
  if (active) {
    choose_sides();
    if (a() == nullptr || b() == nullptr) {
      return Error{"there is nothing to compare with", "",
                   "convert or filter the data, or open a second file"};
    }
  }
  active_ = active;
  emit active_changed(active_);
  if (active_) emit sides_changed();
  return {};
}

// B is what the user looks at; A what it was made from, else its neighbour in the list.
void Comparison::choose_sides() {
  const Item* now = document_.current();
  if (now == nullptr) return;
  if (a() != nullptr && b() != nullptr && a_ != b_ && (now->id == a_ || now->id == b_)) return;
  b_ = now->id;
  a_ = 0;
  const auto& items = document_.items();
  const auto fits = [&](const Item& other) {
    return other.id != b_ && other.dataset->size() == now->dataset->size();
  };
  const Item* parent = document_.item(now->parent);
  if (parent != nullptr && fits(*parent)) {
    a_ = parent->id;
  } else if (const auto near = std::find_if(items.begin(), items.end(), fits);
             near != items.end()) {
    a_ = near->id;
  } else {
    const auto any =
        std::find_if(items.begin(), items.end(), [&](const Item& other) { return other.id != b_; });
    if (any != items.end()) a_ = any->id;
  }
  contrast_of_ = a_;
}

void Comparison::compare(std::uint64_t first, std::uint64_t second) {
  if (document_.item(first) == nullptr || document_.item(second) == nullptr) return;
  const bool same = first == a_ && second == b_ && active_;
  if (same) return;
  if (contrast_of_ != first && contrast_of_ != second) contrast_of_ = first;
  a_ = first;
  b_ = second;
  const bool begins = !active_;
  active_ = true;
  const Item* now = document_.current();
  if (now == nullptr || (now->id != a_ && now->id != b_)) document_.set_current(b_);
  if (begins) emit active_changed(true);
  emit sides_changed();
}

void Comparison::swap() {
  if (!active_) return;
  std::swap(a_, b_);
  emit sides_changed();
}

void Comparison::compare_with_pixels() {
  const Item* now = document_.current();
  if (now == nullptr) return;
  const std::uint64_t particles = now->id;
  document_.find_pixels(particles, [this, particles](std::uint64_t pixels) {
    if (document_.item(particles) == nullptr) return;
    a_ = pixels;  // so that making another item current does not change the sides twice
    b_ = particles;
    contrast_of_ = pixels;
    document_.set_current(particles);
    const bool begins = !active_;
    active_ = true;
    if (begins) emit active_changed(true);
    emit sides_changed();
  });
}

void Comparison::set_settings(const CompareSettings& settings) {
  if (settings == settings_) return;
  CompareSettings next = settings;
  // A line lies in one plane.
  if (next.place != settings_.place) next.line.reset();
  if (next == settings_) return;
  const bool other_contrast = next.same_contrast != settings_.same_contrast;
  settings_ = next;
  emit settings_changed();
  if (other_contrast) emit display_changed();
}

ReconstructionMode Comparison::mode_of(const Item& item) const {
  return item.display.mode == ShowMode::smooth ? ReconstructionMode::smooth
                                               : ReconstructionMode::constant;
}

const DisplaySettings& Comparison::display_of(const Item& item) const {
  const Item* of = settings_.same_contrast ? document_.item(contrast_of_) : nullptr;
  return of != nullptr ? of->display : item.display;
}

bool Comparison::same_size() const {
  return a() != nullptr && b() != nullptr && a()->dataset->size() == b()->dataset->size();
}

Index3 Comparison::mapped(const Index3& p, const Dataset& from, const Dataset& to) {
  const Size3 before = from.size();
  const Size3 after = to.size();
  if (before == after) return p;
  const bool physical = from.voxel().unit == to.voxel().unit && from.voxel().unit != "px";
  const auto map = [&](std::int64_t at, std::int64_t n, std::int64_t m, double step, double next) {
    const double centre = static_cast<double>(at) + 0.5;
    const double there =
        physical ? centre * step / next : centre * static_cast<double>(m) / static_cast<double>(n);
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(there)), 0, m - 1);
  };
  return {map(p.z, before.z, after.z, from.voxel().z, to.voxel().z),
          map(p.x, before.x, after.x, from.voxel().x, to.voxel().x),
          map(p.y, before.y, after.y, from.voxel().y, to.voxel().y)};
}

void Comparison::follow_items() {
  if (!active_) return;
  if (a() != nullptr && b() != nullptr) {
    emit sides_changed();  // their names may have changed
    return;
  }
  active_ = false;
  emit active_changed(false);
}

// The item that is chosen in the list is looked at: it becomes B.
void Comparison::follow_current() {
  const Item* now = document_.current();
  if (!active_ || now == nullptr || now->id == a_ || now->id == b_) return;
  b_ = now->id;
  if (contrast_of_ != a_) contrast_of_ = a_;
  emit sides_changed();
}

}  // namespace aprscope::gui
