#include "app/gui/document/view_state.hpp"

#include <algorithm>
#include <utility>

#include "app/gui/document/release.hpp"
#include "core/image/extent.hpp"
#include "core/pipeline/brightest.hpp"

namespace aprscope::gui {
namespace {

// A raycaster, and the backend that it was made on.
struct MadeRaycaster {
  std::shared_ptr<const Raycaster> raycaster;
  std::optional<DeviceMove> moved;
};

}  // namespace

ViewState::ViewState(ItemList& items, Services& services) : items_(items), services_(services) {}

Index3 ViewState::clamped(const Index3& p) const {
  if (items_.current() == nullptr) return {0, 0, 0};
  const Size3 size = items_.current()->dataset->size();
  const auto within = [](std::int64_t v, std::int64_t n) {
    return std::clamp<std::int64_t>(v, 0, std::max<std::int64_t>(0, n - 1));
  };
  return {within(p.z, size.z), within(p.x, size.x), within(p.y, size.y)};
}

void ViewState::set_crosshair(const Index3& position) {
  const Index3 inside = clamped(position);
  if (inside == crosshair_) return;
  crosshair_ = inside;
  emit crosshair_changed(crosshair_);
}

void ViewState::follow_current() {
  const Item* now = items_.current();
  const Size3 before = std::exchange(size_, now == nullptr ? Size3{0, 0, 0} : now->dataset->size());
  if (now != nullptr) voxel_ = now->dataset->voxel();
  if (now != nullptr && size_ == before) return;
  set_clip(std::nullopt);
  if (now == nullptr) return;
  crosshair_ = {(size_.z - 1) / 2, (size_.x - 1) / 2, (size_.y - 1) / 2};
}

void ViewState::follow_size() {
  const Item* now = items_.current();
  if (now == nullptr) return;
  const Size3 before = std::exchange(size_, now->dataset->size());
  const VoxelSize sides = std::exchange(voxel_, now->dataset->voxel());
  if (size_ == before || !same_extent(before, sides, size_, voxel_)) {
    set_clip(clip_);
    return set_crosshair(crosshair_);
  }
  const auto moved = [](std::int64_t at, std::int64_t from, std::int64_t to) {
    return (2 * at + 1) * to / (2 * from);
  };
  crosshair_ =
      clamped({moved(crosshair_.z, before.z, size_.z), moved(crosshair_.x, before.x, size_.x),
               moved(crosshair_.y, before.y, size_.y)});
  emit crosshair_changed(crosshair_);
  if (!clip_) return;
  const auto edge = [](std::int64_t at, std::int64_t from, std::int64_t to) {
    return (at * to + from / 2) / from;
  };
  const auto scaled = [&](const Index3& p) {
    return Index3{edge(p.z, before.z, size_.z), edge(p.x, before.x, size_.x),
                  edge(p.y, before.y, size_.y)};
  };
  set_clip(Region{scaled(clip_->begin), scaled(clip_->end)});
}

void ViewState::set_clip(const std::optional<Region>& box) {
  std::optional<Region> cut;
  if (box && items_.current() != nullptr) {
    const Size3 n = items_.current()->dataset->size();
    const auto within = [](std::int64_t v, std::int64_t to) {
      return std::clamp<std::int64_t>(v, 0, to);
    };
    cut = Region{{within(box->begin.z, n.z), within(box->begin.x, n.x), within(box->begin.y, n.y)},
                 {within(box->end.z, n.z), within(box->end.x, n.x), within(box->end.y, n.y)}};
    const Size3 sides = cut->size();
    if (sides.z <= 0 || sides.x <= 0 || sides.y <= 0) cut.reset();
  }
  if (cut == clip_) return;
  clip_ = cut;
  emit clip_changed();
}

void ViewState::go_to_brightest() {
  const Item* now = items_.current();
  if (now == nullptr || !has_values(*now->dataset)) return;
  services_.background.post(
      Lane::preview, tr("Looking for the maximum"), "brightest", this,
      [data = now->dataset](const JobContext& context) { return brightest(*data, context); },
      [this, id = now->id](const Result<std::optional<Index3>>& found) {
        if (!found) {
          services_.messages.say(found.error());
        } else if (*found && items_.current_id() == id) {
          set_crosshair(**found);
        }
      });
}

void ViewState::set_options(const ViewOptions& options) {
  if (options == options_) return;
  options_ = options;
  emit options_changed();
}

void ViewState::prepare_raycaster(std::uint64_t wanted) {
  const Item* found = items_.find(wanted);
  if (found == nullptr) return;
  const Item& now = *found;
  // Of a time point that is gone nobody needs it; played fast, they would queue up.
  if (const auto before = building_.find(wanted);
      before != building_.end() && before->second.of.lock() != now.dataset) {
    services_.background.cancel(before->second.job);
    building_.erase(before);
  }
  if (now.raycaster || !has_values(*now.dataset)) return;
  const std::uint64_t job = services_.background.post(
      Lane::full, tr("Preparing the 3-D view"), {}, this,
      [dataset = now.dataset,
       backend = services_.backend](const JobContext& context) -> Result<MadeRaycaster> {
        MadeRaycaster made;
        auto built = backend->raycaster(
            dataset, context.listening([&](const DeviceMove& move) { made.moved = move; }));
        if (!built) return built.error();
        made.raycaster = released_elsewhere(*std::move(built));
        return made;
      },
      [this, id = now.id, dataset = now.dataset,
       backend = services_.backend](const Result<MadeRaycaster>& built) {
        const Item* still = items_.find(id);
        if (still == nullptr || still->dataset != dataset || backend != services_.backend) return;
        if (!built) {
          services_.messages.say(built.error());
          return;
        }
        items_.change(id, [&](Item& item) { item.raycaster = built->raycaster; });
        if (built->moved) {
          services_.messages.say(
              MessageKind::warning,
              tr("The 3-D view is %1").arg(QString::fromStdString(sentence(*built->moved))));
        }
        emit raycaster_ready(id);
      });
  building_[now.id] = {now.dataset, job};
}

}  // namespace aprscope::gui
