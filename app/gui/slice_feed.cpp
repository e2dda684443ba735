#include "app/gui/slice_feed.hpp"

#include <algorithm>

#include "core/operations/registry.hpp"

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
    for (Slot& s : slots_) {
      if (!s.running || !s.wanted) continue;
      any = true;
      if (s.since.elapsed() > kGraceMs) document_.jobs().cancel(s.job);
    }
    if (!any) overtaken_.stop();
  });
  // The views forget what they show when there is another item.
  connect(&document, &Document::current_changed, this, [this] {
    for (Slot& s : slots_) s.shown.reset();
    refresh_all();
  });
  connect(&document, &Document::data_changed, this, [this](std::uint64_t id) {
    if (document_.current() == nullptr || document_.current()->id != id) return;
    for (Slot& s : slots_) s.shown.reset();
    refresh_all();
  });
  connect(&document, &Document::display_changed, this, [this](std::uint64_t id) {
    if (document_.current() != nullptr && document_.current()->id == id) refresh_all();
  });
  connect(&document, &Document::preview_changed, this, &SliceFeed::refresh_all);
  connect(&document, &Document::shown_labels_changed, this, &SliceFeed::refresh_all);
  connect(&document, &Document::live_changed, this, &SliceFeed::refresh_all);
  connect(&document, &Document::preview_dataset_changed, this, &SliceFeed::refresh_all);
  connect(&document, &Document::backend_changed, this, &SliceFeed::refresh_all);
  connect(&document, &Document::crosshair_changed, this, &SliceFeed::follow_crosshair);
  refresh_all();
}

bool SliceFeed::busy() const {
  return std::any_of(slots_.begin(), slots_.end(),
                     [](const Slot& s) { return s.running || s.wanted; });
}

void SliceFeed::refresh_all() {
  for (const Axis axis : kAxes) refresh(axis);
}

void SliceFeed::follow_crosshair(const Index3& position) {
  for (const Axis axis : kAxes) {
    if (along(position, axis) != along(shown_, axis)) refresh(axis);
  }
}

std::optional<SliceRequest> SliceFeed::request_for(Axis axis) const {
  const Item* item = document_.current();
  if (item == nullptr) return std::nullopt;
  SliceRequest request;
  request.dataset = item->dataset;
  request.pixels = item->pixels;
  request.mode = item->display.mode;
  request.axis = axis;
  request.index = along(document_.crosshair(), axis);
  if (auto live = document_.live()) {
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
  request.labels = document_.shown_labels();
  request.label_preview = request.labels != item->dataset->labels();
  const auto& preview = document_.preview();
  if (preview && traits_of(*preview).preview == Previewed::region) {
    request.filter = preview;
    request.backend = document_.shared_backend();
    request.buffer = buffer_;
  } else if (auto converted = document_.preview_dataset()) {
    request.dataset = std::move(converted);
    request.mode = document_.conversion_view();
    request.conversion = true;
    request.labels.reset();
  }
  return request;
}

void SliceFeed::refresh(Axis axis) {
  Slot& s = slot(axis);
  s.wanted = request_for(axis);
  const std::int64_t index = along(document_.crosshair(), axis);
  (axis == Axis::z ? shown_.z : axis == Axis::x ? shown_.x : shown_.y) = index;
  if (!s.wanted) {
    s.shown.reset();
    return;
  }
  if (!s.running) {
    // Contrast and colours are the view's own business.
    if (s.wanted == s.shown) {
      s.wanted.reset();
    } else {
      start(axis);
    }
  } else if (!overtaken_.isActive()) {
    overtaken_.start();
  }
}

void SliceFeed::start(Axis axis) {
  Slot& s = slot(axis);
  const SliceRequest request = *std::move(s.wanted);
  s.wanted.reset();
  s.running = true;
  s.since.start();
  s.job = document_.jobs().post(
      Lane::preview, tr("Preview"), {}, this,
      [request](const JobContext& context) { return make_picture(request, context); },
      [this, axis, request](const Result<SlicePicture>& picture) { take(axis, request, picture); });
}

void SliceFeed::take(Axis axis, const SliceRequest& request, const Result<SlicePicture>& picture) {
  Slot& s = slot(axis);
  s.running = false;
  const Item* item = document_.current();
  // A picture of other data than the current one is stale; one of an older crosshair or parameter
  // is not worth less than what is on screen.
  const bool own = !request.conversion && !request.live;
  const bool stale = item == nullptr || (own && request.dataset != item->dataset) ||
                     (request.conversion && !document_.preview()) ||
                     (request.live && !document_.live());
  if (picture && !stale) {
    if (picture->provisional && !s.wanted) {
      s.wanted = request;
      s.wanted->refine = true;
    }
    s.shown = request;
    s.shown->refine = false;
    emit picture_ready(*picture);
  } else if (!picture && !picture.error().cancelled() && !stale) {
    emit preview_failed(picture.error());
  }
  if (s.wanted && !s.running) start(axis);
}

}  // namespace aprscope::gui
