#include "app/gui/views/detail_feed.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "app/gui/document/large_files.hpp"
#include "render/slice_transform.hpp"

namespace aprscope::gui {
namespace {

constexpr std::array<Axis, 3> kDetailAxes{Axis::z, Axis::x, Axis::y};
// Movements come in many small ones; a part is read after the first of them has had this long.
constexpr int kSoonMs = 40;
// Screen pixels that a cell may have before a finer level is read.
constexpr double kCellPixels = 1.4;
// What is read beyond what is in sight, so that small movements find it there: of each side.
constexpr double kMargin = 0.125;
// Slices that are read at once where the file has them together, and their cells at most.
constexpr std::int64_t kSlicesHeld = 8;
constexpr std::int64_t kCellsHeld = std::int64_t{1} << 24;

}  // namespace

DetailFeed::DetailFeed(Document& document, std::array<SliceView*, 3> views, QObject* parent)
    : QObject(parent), document_(document), views_(views) {
  for (const Axis axis : kDetailAxes) {
    QTimer& soon = slot(axis).soon;
    soon.setSingleShot(true);
    soon.setInterval(kSoonMs);
    connect(&soon, &QTimer::timeout, this, [this, axis] { ask(axis); });
    connect(&view(axis), &SliceView::camera_changed, this, [this, axis] { look_again(axis); });
    connect(&view(axis), &SliceView::fine_stepped, this, [this, axis] { look_again(axis); });
  }
}

void DetailFeed::follow_item() {
  const Item* item = document_.items().current();
  const auto level = item == nullptr ? std::nullopt : file_level(*item);
  // Another channel or time point is looked at in the same place of the file.
  const bool same = item != nullptr && item->id == item_ && level == overview_;
  for (const Axis axis : kDetailAxes) {
    slot(axis).plain = false;
    slot(axis).failed.reset();
    same ? clear(axis) : remove(axis);
  }
  if (!level) {
    item_ = 0;
    forget_file();
    return;
  }
  overview_ = *level;
  if (same) return;
  item_ = item->id;
  forget_file();
  document_.background().post(
      Lane::preview, tr("Reading %1").arg(item->name), "detail of file", this,
      [input = item->recipe.input](const JobContext& context) { return inspect(input, context); },
      [this, id = item_](const Result<SourceInfo>& info) {
        if (id != item_) return;
        // The file has gone: the overview stays, and whoever wants more of it is told then.
        if (!info) return;
        file_ = *info;
        emit file_changed();
        for (const Axis axis : kDetailAxes) look_again(axis);
      });
}

void DetailFeed::forget_file() {
  if (!file_) return;
  file_.reset();
  emit file_changed();
}

void DetailFeed::follow_picture(const SlicePicture& picture) {
  slot(picture.axis).plain = !picture.preview && picture.slab == 1 &&
                             picture.mode == ShowMode::pixel && picture.labels.values.empty();
  look_again(picture.axis);
}

void DetailFeed::look_again(Axis axis) {
  if (item_ == 0 || !file_) return;
  QTimer& soon = slot(axis).soon;
  if (!soon.isActive()) soon.start();
}

bool DetailFeed::busy() const {
  return std::any_of(slots_.begin(), slots_.end(),
                     [](const Slot& s) { return s.reading || s.soon.isActive(); });
}

std::optional<DetailFeed::Level> DetailFeed::level(Axis axis) const {
  if (!slot(axis).shown || !file_ || !has_detail(axis)) return std::nullopt;
  return Level{slot(axis).shown->level, finest_level(file_->size)};
}

bool DetailFeed::has_detail(Axis axis) const {
  return !view(axis).overlays().detail().plane.values.empty();
}

std::optional<DetailFeed::Reading> DetailFeed::under_pointer() const {
  for (const Axis axis : kDetailAxes) {
    const auto shown = view(axis).overlays().detail_under_pointer();
    const auto at_level = level(axis);
    if (!shown || !at_level) continue;
    const double scale = std::exp2(at_level->finest - overview_);
    const auto pixel = [&](double at, Axis along) {
      const auto i = static_cast<std::int64_t>(std::floor(at * scale));
      return std::clamp<std::int64_t>(i, 0, component(file_->size, along) - 1);
    };
    Reading out;
    component(out.pixel, axis) = std::clamp<std::int64_t>(view(axis).navigation().fine_index(), 0,
                                                          component(file_->size, axis) - 1);
    component(out.pixel, row_axis(axis)) = pixel(shown->row, row_axis(axis));
    component(out.pixel, col_axis(axis)) = pixel(shown->col, col_axis(axis));
    out.voxel = file_->voxel;
    out.value = shown->value;
    for (const ItemChannel& one : document_.channels().of(*document_.items().current())) {
      const auto other = shown->others.find(one.number);
      if (!one.look.visible || (!one.chosen && other == shown->others.end())) continue;
      out.channels.push_back({one.name, one.chosen ? shown->value : other->second});
    }
    out.level = at_level->shown;
    return out;
  }
  return std::nullopt;
}

// The pixels of the full image in sight, `margin` more of them on each side, in the slice that is
// looked at.
Region DetailFeed::box_in_sight(Axis axis, double margin) const {
  const SliceView& shown = view(axis);
  const QPointF origin = shown.to_widget(0.0, 0.0);
  const QPointF step = shown.to_widget(1.0, 1.0) - origin;
  const double scale = std::exp2(finest_level(file_->size) - overview_);
  Region box = whole(file_->size);
  const auto narrow = [&](Axis along, double from, double side, double extent) {
    const double first = (-from - margin * extent) / side * scale;
    const double last = (extent * (1.0 + margin) - from) / side * scale;
    const std::int64_t size = component(file_->size, along);
    const auto at = static_cast<std::int64_t>(
        std::floor(std::clamp(first, 0.0, static_cast<double>(size - 1))));
    component(box.begin, along) = at;
    component(box.end, along) = std::clamp<std::int64_t>(
        static_cast<std::int64_t>(std::ceil(std::clamp(last, 0.0, static_cast<double>(size)))),
        at + 1, size);
  };
  narrow(row_axis(axis), origin.y(), step.y(), shown.height());
  narrow(col_axis(axis), origin.x(), step.x(), shown.width());
  const std::int64_t slices = component(file_->size, axis);
  component(box.begin, axis) =
      std::clamp<std::int64_t>(view(axis).navigation().fine_index(), 0, slices - 1);
  component(box.end, axis) = component(box.begin, axis) + 1;
  return box;
}

void DetailFeed::set_steps(Axis axis, int level) {
  const int finest = finest_level(file_->size);
  FineSteps steps;
  steps.in_slice = std::int64_t{1} << (finest - overview_);
  steps.step = std::int64_t{1} << (finest - level);
  steps.count = component(file_->size, axis);
  view(axis).navigation().set_fine_steps(steps);
}

// The level that a view should show; none: the overview has it.
std::optional<int> DetailFeed::wanted_level(Axis axis) const {
  SliceView& shown = view(axis);
  if (!file_ || !slot(axis).plain || !shown.isVisible()) return std::nullopt;
  const double cell = shown.navigation().zoom() * shown.devicePixelRatioF();
  const int finer = static_cast<int>(std::ceil(std::log2(std::max(cell / kCellPixels, 1.0))));
  const int finest = finest_level(file_->size);
  if (finer <= 0 || overview_ >= finest) return std::nullopt;
  return std::min(overview_ + finer, finest);
}

// What a view that has the steps of its level should show.
DetailFeed::Part DetailFeed::in_sight(Axis axis, int level, double margin) const {
  Part part;
  part.level = level;
  part.box = box_in_sight(axis, margin);
  part.slice = component(part.box.begin, axis) >> (finest_level(file_->size) - level);
  part.others = document_.channels().drawn_over(*document_.items().current());
  return part;
}

// Whether a part has all that another one needs, at the same level.
bool DetailFeed::covers(const Part& held, const Part& needed) {
  const auto inside = [](std::int64_t a, std::int64_t b, std::int64_t from, std::int64_t to) {
    return from <= a && b <= to;
  };
  const Region& h = held.box;
  const Region& n = needed.box;
  return held.level == needed.level && inside(n.begin.z, n.end.z, h.begin.z, h.end.z) &&
         inside(n.begin.x, n.end.x, h.begin.x, h.end.x) &&
         inside(n.begin.y, n.end.y, h.begin.y, h.end.y) &&
         std::includes(held.others.begin(), held.others.end(), needed.others.begin(),
                       needed.others.end());
}

// The whole cells of a part across its slice, and some slices beside it where the file has them
// anyway: slices along z cross every chunk of their planes, those perpendicular to it do not.
DetailFeed::Part DetailFeed::with_neighbours(Axis axis, Part part) const {
  const std::int64_t side = std::int64_t{1} << (finest_level(file_->size) - part.level);
  const Size3 pixels = part.box.size();
  // One pixel thick.
  const std::int64_t cells =
      std::max<std::int64_t>(1, pixels.count() / (side * side)) * (std::ssize(part.others) + 1);
  const std::int64_t slices = axis == Axis::z ? 1 : kSlicesHeld;
  const std::int64_t most = std::clamp<std::int64_t>(kCellsHeld / cells, 1, slices);
  const std::int64_t first = part.slice / most * most;
  component(part.box.begin, axis) = first * side;
  component(part.box.end, axis) = std::min((first + most) * side, component(file_->size, axis));
  return part;
}

void DetailFeed::ask(Axis axis) {
  const Item* item = document_.items().current();
  if (item == nullptr || item->id != item_ || !file_) return;
  Slot& s = slot(axis);
  const auto level = wanted_level(axis);
  if (!level) {
    remove(axis);
    return;
  }
  if (s.failed == document_.channels().drawn_over(*item)) return;
  s.failed.reset();
  set_steps(axis, *level);
  const Part part = in_sight(axis, *level, 0.0);
  // It goes with the slice.
  if (!has_detail(axis)) s.shown.reset();
  if (s.held && covers(s.held->part, part)) {
    // What is still being read is of no use any more.
    ++s.asked;
    s.reading.reset();
    show_held(axis);
    return;
  }
  if (s.reading && covers(*s.reading, part)) return;
  read(axis, with_neighbours(axis, in_sight(axis, *level, kMargin)));
}

// A part of each channel, but for those of the same place that were read before; null: one of them
// has no levels.
Result<std::shared_ptr<const DetailFeed::Held>> DetailFeed::load(
    const SourceInfo& info, const SourceSelection& selection, const Part& part,
    const std::shared_ptr<const Held>& before, const JobContext& context) {
  using Read = std::shared_ptr<const Held>;
  const bool same = before && before->part.level == part.level && before->part.box == part.box;
  auto out = std::make_shared<Held>(Held{part, {}, {}});
  if (same) {
    out->slices = before->slices;
  } else {
    auto slices = slices_of_file(info, selection, part.level, part.box, context);
    if (!slices) return slices.error();
    if (!*slices) return Read();
    out->slices = std::move(**slices);
  }
  for (const int channel : part.others) {
    if (same && before->others.contains(channel)) {
      out->others.emplace(channel, before->others.at(channel));
      continue;
    }
    auto other = slices_of_file(info, {channel, selection.time}, part.level, part.box, context);
    if (!other) return other.error();
    if (!*other) return Read();
    out->others.emplace(channel, std::move(**other));
  }
  return Read(std::move(out));
}

void DetailFeed::read(Axis axis, const Part& part) {
  Slot& s = slot(axis);
  s.reading = part;
  const std::uint64_t number = ++s.asked;
  const Item& item = *document_.items().current();
  using Read = std::shared_ptr<const Held>;
  document_.background().post(
      Lane::preview, tr("Reading %1").arg(item.name), std::string("detail ") + axis_name(axis),
      this,
      [info = *file_, selection = item.selection, part, before = s.held](
          const JobContext& context) { return load(info, selection, part, before, context); },
      [this, axis, part, number, id = item_](const Result<Read>& held) {
        Slot& now = slot(axis);
        if (number != now.asked || id != item_ || !now.reading) return;
        now.reading.reset();
        if (!held) {
          if (held.error().cancelled()) return;
          document_.messages().say(held.error());
          // Once is enough, in all views, until other channels or another time point are wanted.
          for (const Axis other : kDetailAxes) {
            slot(other).failed = part.others;
            remove(other);
          }
        } else if (*held) {
          now.held = *held;
          show_held(axis);
        }
      });
}

// Shows the slice that is looked at, if it was read. The view may have moved on meanwhile: what
// that needs is being asked for.
void DetailFeed::show_held(Axis axis) {
  Slot& s = slot(axis);
  if (!wanted_level(axis)) return;
  const int finest = finest_level(file_->size);
  Part part = s.held->part;
  part.slice = in_sight(axis, part.level, 0.0).slice;
  if (s.shown && s.shown->level == part.level && s.shown->slice == part.slice &&
      s.shown->box == part.box && s.shown->others == part.others && has_detail(axis)) {
    return;
  }
  const auto slice = slice_of(s.held->slices, axis, part.slice);
  if (!slice) return;
  const double scale = std::exp2(finest - overview_);
  const auto at = [&](std::int64_t pixel) { return static_cast<double>(pixel) / scale; };
  const Size3 extent = slice->box.size();
  SliceDetail detail;
  detail.plane = slice->plane;
  for (const auto& [channel, slices] : s.held->others) {
    const auto other = slice_of(slices, axis, part.slice);
    if (other) detail.others.push_back({channel, other->plane});
  }
  detail.row = at(component(slice->box.begin, row_axis(axis)));
  detail.col = at(component(slice->box.begin, col_axis(axis)));
  detail.rows = at(component(extent, row_axis(axis)));
  detail.cols = at(component(extent, col_axis(axis)));
  detail.index = view(axis).index();
  view(axis).overlays().set_detail(std::move(detail));
  s.shown = part;
  emit level_changed(axis);
}

void DetailFeed::remove(Axis axis) {
  view(axis).navigation().set_fine_steps({});
  clear(axis);
}

// Takes the picture away, but stays at the slice of the file that is looked at.
void DetailFeed::clear(Axis axis) {
  Slot& s = slot(axis);
  ++s.asked;
  s.reading.reset();
  s.held.reset();
  s.soon.stop();
  view(axis).overlays().set_detail({});
  if (std::exchange(s.shown, std::nullopt)) emit level_changed(axis);
}

}  // namespace aprscope::gui
