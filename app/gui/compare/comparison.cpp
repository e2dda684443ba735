#include "app/gui/compare/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "render/slice_transform.hpp"

namespace aprscope::gui {
namespace {

std::set<Unlikeness> unlike(const Item& a, const Item& b) {
  std::set<Unlikeness> found;
  if (a.dataset->size() != b.dataset->size()) found.insert(Unlikeness::size);
  if (a.dataset->voxel() != b.dataset->voxel()) found.insert(Unlikeness::voxel);
  if (a.recipe.channel != b.recipe.channel) found.insert(Unlikeness::channel);
  if (a.recipe.time != b.recipe.time) found.insert(Unlikeness::time);
  return found;
}

QString size_text(const Size3& size) {
  return QStringLiteral("%1 × %2 × %3").arg(size.z).arg(size.x).arg(size.y);
}

QString voxel_text(const VoxelSize& voxel) {
  return QStringLiteral("%1 × %2 × %3 %4")
      .arg(voxel.z)
      .arg(voxel.x)
      .arg(voxel.y)
      .arg(QString::fromStdString(voxel.unit));
}

}  // namespace

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
  connect(&document_.items(), &ItemList::items_changed, this, &Comparison::follow_items);
  connect(&document_.items(), &ItemList::current_changed, this, &Comparison::follow_current);
  connect(&document_.items(), &ItemList::data_changed, this, [this](std::uint64_t id) {
    if (active_ && (id == a_ || id == b_)) tell_sides();
  });
  connect(&document_.items(), &ItemList::display_changed, this, [this](std::uint64_t id) {
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
  if (active_) tell_sides();
  return {};
}

// Emits sides_changed(). Removes the line of the profile if A has another size now.
void Comparison::tell_sides() {
  const Size3 now = a() != nullptr ? a()->dataset->size() : Size3{0, 0, 0};
  const Size3 before = std::exchange(size_of_a_, now);
  if (before != Size3{0, 0, 0} && before != now) {
    CompareSettings next = settings_;
    next.line.reset();
    set_settings(next);
  }
  emit sides_changed();
}

// The item to compare; for a measurement, the item that was measured.
const Item* Comparison::compared() const {
  const Item* now = document_.items().current();
  return now != nullptr ? document_.items().data_item(*now) : nullptr;
}

// The proposed sides: B is the current item.
std::pair<const Item*, const Item*> Comparison::proposal() const {
  if (active_) return {a(), b()};
  const Item* now = compared();
  if (now == nullptr) return {nullptr, nullptr};
  const bool chosen = a() != nullptr && b() != nullptr && (now->id == a_ || now->id == b_);
  return chosen ? std::pair(a(), b()) : std::pair(partner_of(*now), now);
}

void Comparison::choose_sides() {
  const auto [first, second] = proposal();
  const bool before = first == a() && second == b();
  if (before || second == nullptr) return;
  b_ = second->id;
  a_ = first != nullptr ? first->id : 0;
  accepted_.clear();
  contrast_of_ = a_;
}

const Item* Comparison::partner_of(const Item& item) const {
  const auto find = [&](const auto& fits) -> const Item* {
    const auto& items = document_.items().all();
    const auto found = std::find_if(items.begin(), items.end(), [&](const Item& other) {
      return other.id != item.id && !other.is_measurement() && fits(other);
    });
    return found != items.end() ? &*found : nullptr;
  };
  const auto alike = [&](const Item& other) { return unlike(other, item).empty(); };
  const Item* found = find([&](const Item& o) { return o.id == item.parent && alike(o); });
  if (found == nullptr) {
    found = find([&](const Item& o) { return o.recipe.input == item.recipe.input && alike(o); });
  }
  if (found == nullptr) found = find(alike);
  // The last A may be shown beside any item, but is not measured until the user agrees.
  if (found == nullptr) found = find([&](const Item& other) { return other.id == a_; });
  return found != nullptr ? found : find([](const Item&) { return true; });
}

void Comparison::choose_a() {
  const Item* found = b() != nullptr ? partner_of(*b()) : nullptr;
  a_ = found != nullptr ? found->id : 0;
  accepted_.clear();
  contrast_of_ = a_;
}

Status Comparison::compare(std::uint64_t first, std::uint64_t second) {
  if (first == second) {
    return Error{"A and B are one and the same", document_.items().full_name(first).toStdString(),
                 "choose another for one of them"};
  }
  if (document_.items().find(first) == nullptr || document_.items().find(second) == nullptr)
    return {};
  const bool same = first == a_ && second == b_ && active_;
  if (same) return {};
  if (contrast_of_ != first && contrast_of_ != second) contrast_of_ = first;
  a_ = first;
  b_ = second;
  accepted_ = unlike(*a(), *b());
  const bool begins = !active_;
  active_ = true;
  const Item* now = document_.items().current();
  if (now == nullptr || (now->id != a_ && now->id != b_)) document_.items().set_current(b_);
  if (begins) emit active_changed(true);
  tell_sides();
  return {};
}

void Comparison::swap() {
  if (!active_) return;
  std::swap(a_, b_);
  tell_sides();
}

void Comparison::compare_with_pixels() {
  const Item* now = document_.items().current();
  if (now == nullptr) return;
  const std::uint64_t particles = now->id;
  document_.runner().find_pixels(particles, [this, particles](std::uint64_t pixels) {
    if (document_.items().find(particles) == nullptr) return;
    a_ = pixels;  // set before the item becomes current, which would change the sides again
    b_ = particles;
    contrast_of_ = pixels;
    accepted_.clear();
    document_.items().set_current(particles);
    const bool begins = !active_;
    active_ = true;
    if (begins) emit active_changed(true);
    tell_sides();
  });
}

void Comparison::set_settings(const CompareSettings& settings) {
  if (settings == settings_) return;
  CompareSettings next = settings;
  // The line belongs to the plane in which it was drawn.
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
  const Item* of = settings_.same_contrast ? document_.items().find(contrast_of_) : nullptr;
  return of != nullptr ? of->display : item.display;
}

bool Comparison::same_size() const {
  return a() != nullptr && b() != nullptr && a()->dataset->size() == b()->dataset->size();
}

QStringList Comparison::differences() const {
  const Item* first = a();
  const Item* second = b();
  QStringList found;
  if (first == nullptr || second == nullptr) return found;
  const auto both = [&](const QString& what, const QString& of_a, const QString& of_b) {
    found << tr("%1 (A %2, B %3)").arg(what, of_a, of_b);
  };
  for (const Unlikeness kind : unlike(*first, *second)) {
    switch (kind) {
      case Unlikeness::size:
        both(tr("size"), size_text(first->dataset->size()), size_text(second->dataset->size()));
        break;
      case Unlikeness::voxel:
        both(tr("voxel size"), voxel_text(first->dataset->voxel()),
             voxel_text(second->dataset->voxel()));
        break;
      case Unlikeness::channel:
        both(tr("channel"), QString::number(first->recipe.channel + 1),
             QString::number(second->recipe.channel + 1));
        break;
      case Unlikeness::time:
        both(tr("time point"), QString::number(first->recipe.time + 1),
             QString::number(second->recipe.time + 1));
        break;
    }
  }
  return found;
}

bool Comparison::may_measure() const {
  if (a() == nullptr || b() == nullptr) return false;
  const std::set<Unlikeness> now = unlike(*a(), *b());
  return std::includes(accepted_.begin(), accepted_.end(), now.begin(), now.end());
}

void Comparison::accept_differences() {
  if (a() == nullptr || b() == nullptr) return;
  accepted_ = unlike(*a(), *b());
  emit sides_changed();
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

Region Comparison::mapped(const Region& box, const Dataset& from, const Dataset& to) {
  const Size3 before = from.size();
  const Size3 after = to.size();
  if (before == after) return box;
  const bool physical = from.voxel().unit == to.voxel().unit && from.voxel().unit != "px";
  Region out;
  const auto map = [&](Axis axis, double step, double next) {
    const auto m = static_cast<double>(component(after, axis));
    const double ratio = physical ? step / next : m / static_cast<double>(component(before, axis));
    constexpr double kRounding = 1e-9;
    const double begin = static_cast<double>(component(box.begin, axis)) * ratio;
    const double end = static_cast<double>(component(box.end, axis)) * ratio;
    component(out.begin, axis) =
        static_cast<std::int64_t>(std::clamp(std::floor(begin + kRounding), 0.0, m));
    component(out.end, axis) =
        static_cast<std::int64_t>(std::clamp(std::ceil(end - kRounding), 0.0, m));
  };
  map(Axis::z, from.voxel().z, to.voxel().z);
  map(Axis::x, from.voxel().x, to.voxel().x);
  map(Axis::y, from.voxel().y, to.voxel().y);
  return out;
}

void Comparison::follow_items() {
  if (!active_) return;
  if (a() != nullptr && b() != nullptr) {
    emit sides_changed();  // emitted because names may have changed
    return;
  }
  active_ = false;
  emit active_changed(false);
}

// A new current item becomes B.
void Comparison::follow_current() {
  const Item* now = compared();
  if (!active_ || now == nullptr || now->id == a_ || now->id == b_) return;
  b_ = now->id;
  if (!may_measure()) {
    choose_a();
  } else if (contrast_of_ != a_) {
    contrast_of_ = a_;
  }
  tell_sides();
}

}  // namespace aprscope::gui
