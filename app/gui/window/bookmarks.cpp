#include "app/gui/window/bookmarks.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/document/turn_export.hpp"
#include "app/gui/views/slice_cameras.hpp"
#include "core/image/extent.hpp"
#include "render/screenshot.hpp"
#include "render/slice_transform.hpp"

namespace aprscope::gui {
namespace {

// Pictures in lists.
constexpr int kPictureSide = 160;
constexpr std::size_t kMostBookmarks = 1000;

// A place in other pixels of the same box: those of an overview, or of all of a file.
WorkspaceBookmark fitted(WorkspaceBookmark place, const Dataset& data) {
  const Size3 before = place.size;
  const Size3 now = data.size();
  const VoxelSize sides = place.voxel;
  if (before.count() <= 0 || before == now || !same_extent(before, sides, now, data.voxel())) {
    return place;
  }
  for (const Axis axis : {Axis::z, Axis::x, Axis::y}) {
    const std::int64_t from = component(before, axis);
    const std::int64_t to = component(now, axis);
    std::int64_t& at = component(place.crosshair, axis);
    at = std::clamp<std::int64_t>(at, 0, from - 1);
    at = (2 * at + 1) * to / (2 * from);
    if (!place.clip) continue;
    for (Index3* edge : {&place.clip->begin, &place.clip->end}) {
      component(*edge, axis) = (component(*edge, axis) * to + from / 2) / from;
    }
  }
  const auto ratio = [&](Axis axis) {
    return component(sides, axis) / component(data.voxel(), axis);
  };
  for (const Axis axis : {Axis::z, Axis::x, Axis::y}) {
    WorkspaceCamera& camera = place.slices[static_cast<std::size_t>(axis)];
    camera.row *= ratio(row_axis(axis));
    camera.col *= ratio(col_axis(axis));
  }
  place.size = now;
  place.voxel = data.voxel();
  return place;
}

// What is in the data of a box; none: nothing is.
std::optional<Region> within(const std::optional<Region>& box, const Size3& size) {
  if (!box) return std::nullopt;
  Region out;
  for (const Axis axis : {Axis::z, Axis::x, Axis::y}) {
    const std::int64_t n = component(size, axis);
    component(out.begin, axis) = std::clamp<std::int64_t>(component(box->begin, axis), 0, n);
    component(out.end, axis) = std::clamp<std::int64_t>(component(box->end, axis), 0, n);
    if (component(out.begin, axis) >= component(out.end, axis)) return std::nullopt;
  }
  return out;
}

}  // namespace

Bookmarks::Bookmarks(Document& document, ViewsArea& views, QObject* parent)
    : QObject(parent), document_(document), views_(views) {
  setObjectName(QStringLiteral("bookmarks"));
}

bool Bookmarks::add() {
  const Item* item = document_.items().current();
  if (item == nullptr || all_.size() >= kMostBookmarks) return false;
  Bookmark made;
  made.place.size = item->dataset->size();
  made.place.voxel = item->dataset->voxel();
  made.place.name = tr("Place %1").arg(++named_).toStdString();
  made.place.crosshair = document_.view().crosshair();
  made.place.slices = slice_cameras(views_);
  made.place.camera = views_.mip().navigation().ray_camera();
  made.place.clip = document_.view().clip();
  made.picture =
      screenshot(views_.mip())
          .scaled(kPictureSide, kPictureSide, Qt::KeepAspectRatio, Qt::SmoothTransformation);
  all_.push_back(std::move(made));
  touch();
  emit changed();
  return true;
}

// A workspace on disk has become older.
void Bookmarks::touch() { document_.undo_stack().resetClean(); }

void Bookmarks::go_to(std::size_t at) {
  const Item* item = document_.items().current();
  if (at >= all_.size() || item == nullptr) return;
  const WorkspaceBookmark place = fitted(all_[at].place, *item->dataset);
  document_.view().set_clip(place.clip);
  document_.view().set_crosshair(place.crosshair);
  set_slice_cameras(views_, place.slices);
  if (place.camera) views_.mip().navigation().set_ray_camera(*place.camera);
}

void Bookmarks::remove(std::size_t at) {
  if (at >= all_.size()) return;
  all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(at));
  touch();
  emit changed();
}

void Bookmarks::rename(std::size_t at, const QString& name) {
  if (at >= all_.size() || name.isEmpty()) return;
  all_[at].place.name = name.toStdString();
  touch();
}

void Bookmarks::move(std::size_t from, std::size_t to) {
  if (from >= all_.size() || to >= all_.size() || from == to) return;
  Bookmark moved = std::move(all_[from]);
  all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(from));
  all_.insert(all_.begin() + static_cast<std::ptrdiff_t>(to), std::move(moved));
  touch();
  emit changed();
}

void Bookmarks::set_places(const std::vector<WorkspaceBookmark>& places) {
  all_.clear();
  for (const WorkspaceBookmark& place : places) all_.push_back({place, {}});
  named_ = static_cast<int>(all_.size());
  emit changed();
}

std::vector<WorkspaceBookmark> Bookmarks::places() const {
  std::vector<WorkspaceBookmark> out;
  for (const Bookmark& one : all_) out.push_back(one.place);
  return out;
}

void Bookmarks::export_flight(const QString& path, double seconds) {
  const Item* item = document_.items().current();
  if (item == nullptr) return;
  std::vector<RayCamera> stops;
  for (const Bookmark& one : all_) {
    if (!one.place.camera) continue;
    stops.push_back(*one.place.camera);
    stops.back().only = within(fitted(one.place, *item->dataset).clip, item->dataset->size());
  }
  gui::export_flight(document_, *item, stops, seconds, path, views_.mip().rays().surface());
}

}  // namespace aprscope::gui
