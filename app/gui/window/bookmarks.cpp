#include "app/gui/window/bookmarks.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/document/turn_export.hpp"
#include "app/gui/views/slice_cameras.hpp"
#include "render/screenshot.hpp"

namespace aprscope::gui {
namespace {

// Pictures in lists.
constexpr int kPictureSide = 160;
constexpr std::size_t kMostBookmarks = 1000;

}  // namespace

Bookmarks::Bookmarks(Document& document, ViewsArea& views, QObject* parent)
    : QObject(parent), document_(document), views_(views) {
  setObjectName(QStringLiteral("bookmarks"));
}

void Bookmarks::add() {
  if (document_.items().current() == nullptr || all_.size() >= kMostBookmarks) return;
  Bookmark made;
  made.place.name = tr("Place %1").arg(++named_).toStdString();
  made.place.crosshair = document_.view().crosshair();
  made.place.slices = slice_cameras(views_);
  made.place.camera = views_.mip().navigation().ray_camera();
  made.place.clip = document_.view().clip();
  made.picture =
      screenshot(views_.mip())
          .scaled(kPictureSide, kPictureSide, Qt::KeepAspectRatio, Qt::SmoothTransformation);
  all_.push_back(std::move(made));
  emit changed();
}

void Bookmarks::go_to(std::size_t at) {
  if (at >= all_.size() || document_.items().current() == nullptr) return;
  const WorkspaceBookmark place = all_[at].place;
  document_.view().set_clip(place.clip);
  document_.view().set_crosshair(place.crosshair);
  set_slice_cameras(views_, place.slices);
  if (place.camera) views_.mip().navigation().set_ray_camera(*place.camera);
}

void Bookmarks::remove(std::size_t at) {
  if (at >= all_.size()) return;
  all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(at));
  emit changed();
}

void Bookmarks::rename(std::size_t at, const QString& name) {
  if (at >= all_.size() || name.isEmpty()) return;
  all_[at].place.name = name.toStdString();
  emit renamed(at);
}

void Bookmarks::move(std::size_t from, std::size_t to) {
  if (from >= all_.size() || to >= all_.size() || from == to) return;
  Bookmark moved = std::move(all_[from]);
  all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(from));
  all_.insert(all_.begin() + static_cast<std::ptrdiff_t>(to), std::move(moved));
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
    stops.back().only = one.place.clip;
  }
  gui::export_flight(document_, *item, stops, seconds, path);
}

}  // namespace aprscope::gui
