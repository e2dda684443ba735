#include "app/gui/views/slice_feed.hpp"

#include <algorithm>
#include <utility>

#include "core/operations/engine/registry.hpp"

namespace aprscope::gui {
namespace {

constexpr std::array<Axis, 3> kAxes{Axis::z, Axis::x, Axis::y};
constexpr int kGraceMs = 300;

std::int64_t along(const Index3& p, Axis axis) {
  return axis == Axis::z ? p.z : axis == Axis::x ? p.x : p.y;
}

}  // namespace

SliceFeed::SliceFeed(Document& document, QObject* parent) : QObject(parent), document_(document) {
  overtaken_.setInterval(50);
  connect(&overtaken_, &QTimer::timeout, this, [this] {
    bool any = false;
    for (const Slot& s : slots_) {
      if (!s.running || !s.wanted) continue;
      any = true;
      if (s.since.elapsed() <= kGraceMs) continue;
      document_.jobs().cancel(s.job);
      // The cancelled job also made pictures for other views; these ask for them again.
      for (Slot& other : slots_) other.overtaken = other.overtaken || other.job == s.job;
    }
    if (!any) overtaken_.stop();
  });
  // When another item becomes current the views clear their pictures.
  connect(&document.items(), &ItemList::current_changed, this, &SliceFeed::follow_data);
  connect(&document.items(), &ItemList::data_changed, this, [this](std::uint64_t id) {
    if (id == document_.items().current_id()) follow_data();
  });
  connect(&document.items(), &ItemList::display_changed, this, [this](std::uint64_t id) {
    if (document_.items().current() != nullptr && document_.items().current()->id == id)
      refresh_all();
  });
  connect(&document.channels(), &Channels::changed, this, &SliceFeed::refresh_all);
  connect(&document.preview(), &PreviewState::changed, this, &SliceFeed::refresh_all);
  connect(&document.labels(), &ShownLabels::changed, this, &SliceFeed::refresh_all);
  connect(&document.preview(), &PreviewState::live_changed, this, &SliceFeed::refresh_all);
  connect(&document.preview(), &PreviewState::dataset_changed, this, &SliceFeed::refresh_all);
  connect(&document, &Document::backend_changed, this, &SliceFeed::refresh_all);
  connect(&document.view(), &ViewState::crosshair_changed, this, &SliceFeed::follow_crosshair);
  connect(&document.view(), &ViewState::options_changed, this, &SliceFeed::refresh_all);
  refresh_all();
}

bool SliceFeed::busy() const {
  return std::any_of(slots_.begin(), slots_.end(),
                     [](const Slot& s) { return s.running || s.wanted; });
}

// Other data is shown.
void SliceFeed::follow_data() {
  const Item* item = document_.items().current();
  const SourceSelection part = item != nullptr ? item->selection : SourceSelection();
  // Only along time a preview keeps its memory and its contrast.
  SourceSelection before = part_;
  before.time = part.time;
  const std::uint64_t id = document_.items().current_id();
  if (id != buffered_ || part == part_ || part != before) {
    buffer_ = std::make_shared<PreviewBuffer>();
  }
  buffered_ = id;
  part_ = part;
  for (Slot& s : slots_) s.shown.reset();
  refresh_all();
}

void SliceFeed::refresh_all() {
  for (const Axis axis : kAxes) refresh(axis);
  start_waiting();
}

void SliceFeed::set_seen(Axis axis, bool seen) {
  if (std::exchange(slot(axis).seen, seen) == seen) return;
  refresh(axis);
  // Later, as views often become visible together and can then share a job.
  QMetaObject::invokeMethod(this, &SliceFeed::start_waiting, Qt::QueuedConnection);
}

void SliceFeed::follow_crosshair(const Index3& position) {
  for (const Axis axis : kAxes) {
    if (along(position, axis) != along(shown_, axis)) refresh(axis);
  }
  start_waiting();
}

// Adds the visible channels of an item to the request.
void SliceFeed::add_channels(const Item& item, SliceRequest& request) const {
  for (const ItemChannel& one : document_.channels().of(item)) {
    if (one.chosen) {
      request.channel = one.number;
    } else if (one.look.visible && one.dataset) {
      const bool pixels = request.mode == ShowMode::pixel && one.pixels;
      request.others.emplace_back(one.number, pixels ? one.pixels : one.dataset);
    }
  }
}

std::optional<SliceRequest> SliceFeed::request_for(Axis axis) const {
  const Item* item = document_.items().current();
  if (item == nullptr) return std::nullopt;
  SliceRequest request;
  request.dataset = item->dataset;
  request.pixels = item->pixels;
  request.mode = item->display.mode;
  request.axis = axis;
  request.index = along(document_.view().crosshair(), axis);
  if (auto live = document_.preview().live()) {
    if (live->dataset) {
      request.dataset = live->dataset;
      request.pixels.reset();
    }
    if (request.mode == ShowMode::pixel && request.dataset->is_apr() && !request.pixels) {
      request.mode = ShowMode::constant;
    }
    request.live = std::move(live);
    return request;
  }
  request.slab = document_.view().options().slab;
  add_channels(*item, request);
  request.labels = document_.labels().labels();
  request.label_preview = request.labels != item->dataset->labels();
  request.parts = document_.preview().label_parts();
  const auto& preview = document_.preview().operation();
  if (preview && traits_of(*preview).preview == Previewed::region) {
    request.filter = preview;
    request.backend = document_.shared_backend();
    request.buffer = buffer_;
  } else if (auto converted = document_.preview().dataset()) {
    request.dataset = std::move(converted);
    request.mode = document_.preview().conversion_view();
    request.conversion = true;
    request.labels.reset();
    request.parts.reset();
  }
  return request;
}

void SliceFeed::refresh(Axis axis) {
  Slot& s = slot(axis);
  s.wanted = request_for(axis);
  const std::int64_t index = along(document_.view().crosshair(), axis);
  (axis == Axis::z ? shown_.z : axis == Axis::x ? shown_.x : shown_.y) = index;
  if (!s.wanted) {
    s.shown.reset();
    return;
  }
  if (!s.seen) {
    s.wanted.reset();
    return;
  }
  if (!s.running) {
    // A change of contrast or colours alone needs no new slice.
    if (s.wanted == s.shown) s.wanted.reset();
  } else if (s.wanted == s.making) {
    s.wanted.reset();
  } else if (!overtaken_.isActive()) {
    overtaken_.start();
  }
}

void SliceFeed::start_waiting() {
  std::vector<Axis> filtered;
  bool filtering = false;
  for (const Axis axis : kAxes) {
    const Slot& s = slot(axis);
    filtering = filtering || (s.running && s.filtering);
    if (!s.wanted || s.running) continue;
    if (s.wanted->filter) {
      filtered.push_back(axis);
    } else {
      start({axis});
    }
  }
  // Views that wait while a filter runs share the next job.
  if (!filtered.empty() && !filtering) start(filtered);
}

void SliceFeed::start(const std::vector<Axis>& axes) {
  std::vector<Asked> asked;
  std::vector<SliceRequest> requests;
  for (const Axis axis : axes) {
    Slot& s = slot(axis);
    requests.push_back(*std::move(s.wanted));
    asked.push_back({axis, requests.back()});
    s.wanted.reset();
    s.making = requests.back();
    s.making->refine = false;
    s.overtaken = false;
    s.running = true;
    s.filtering = requests.back().filter.has_value();
    s.since.start();
  }
  const std::uint64_t job = document_.jobs().post(
      Lane::preview, tr("Preview"), {}, this,
      [requests = std::move(requests)](const JobContext& context) {
        return make_pictures(requests, context);
      },
      [this, asked = std::move(asked)](const Result<std::vector<SlicePicture>>& pictures) {
        take(asked, pictures);
      });
  for (const Axis axis : axes) slot(axis).job = job;
}

void SliceFeed::take(const std::vector<Asked>& asked,
                     const Result<std::vector<SlicePicture>>& pictures) {
  const Item* item = document_.items().current();
  for (const Asked& one : asked) {
    slot(one.axis).running = false;
    slot(one.axis).making.reset();
  }
  // A picture of other data is stale. A picture of an older crosshair or parameter may be shown, as
  // it is newer than the one on screen.
  const auto stale = [&](const SliceRequest& request) {
    const bool own = !request.conversion && !request.live;
    return item == nullptr || (own && request.dataset != item->dataset) ||
           (request.conversion && !document_.preview().operation()) ||
           (request.live && !document_.preview().live());
  };
  bool failed = false;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (stale(asked[i].request)) continue;
    if (pictures) {
      show(asked[i], (*pictures)[i]);
    } else if (!pictures.error().cancelled()) {
      failed = true;
    } else if (Slot& s = slot(asked[i].axis); s.overtaken && s.seen && !s.wanted) {
      s.wanted = asked[i].request;
    }
  }
  if (failed) emit preview_failed(pictures.error());
  start_waiting();
}

void SliceFeed::show(const Asked& asked, const SlicePicture& picture) {
  Slot& s = slot(asked.axis);
  if (picture.provisional && !s.wanted && s.seen) {
    s.wanted = asked.request;
    s.wanted->refine = true;
  }
  s.shown = asked.request;
  s.shown->refine = false;
  // Only the coarse picture is there: the smooth one is made when the view becomes visible again.
  if (picture.provisional && !s.seen) s.shown.reset();
  emit picture_ready(picture);
}

}  // namespace aprscope::gui
