#include "app/gui/document/time_ahead.hpp"

#include <utility>

#include "app/gui/document/file_title.hpp"
#include "app/gui/document/release.hpp"
#include "core/pipeline/file_execution.hpp"

namespace aprscope::gui {
namespace {

// Whether a part can be read twice within so many bytes, by the headers of its file: what may not
// be needed leaves as much to what is asked for.
bool fits_twice(const SourceInfo& info, const FilePart& part, std::uint64_t memory) {
  std::vector<SourceSelection> all{part.selection};
  for (const int channel : part.others) all.push_back({channel, part.selection.time});
  if (info.is_apr) return all_particles_fit(info, all, memory / 2);
  return image_fits(info, memory / 2 / all.size());
}

// Makes what the 3-D view needs. What cannot be made on its device is left to be made, and told,
// when it is shown.
void add_raycaster(Channels::Kept& data, const Backend& backend, const JobContext& context) {
  if (context.stop_requested() || !has_values(*data.dataset)) return;
  bool moved = false;
  auto built =
      backend.raycaster(data.dataset, context.listening([&](const DeviceMove&) { moved = true; }));
  if (built && !moved) data.raycaster = released_elsewhere(*std::move(built));
}

}  // namespace

TimeAhead::TimeAhead(ItemList& items, const LargeFiles& large, Services& services)
    : items_(items), large_(large), services_(services) {
  connect(&items, &ItemList::current_changed, this, &TimeAhead::renew);
  connect(&items, &ItemList::data_changed, this, &TimeAhead::renew);
  // Other channels may be seen.
  connect(&items, &ItemList::display_changed, this, &TimeAhead::renew);
  // What users wait for gets the memory.
  connect(&services.jobs, &JobBridge::posting, this, [this](Lane lane) {
    if (lane == Lane::full) release();
  });
}

TimeAhead::~TimeAhead() { forget(); }

void TimeAhead::set_playing(bool plays) {
  plays_ = plays;
  const Item* item = items_.current();
  if (!plays || item == nullptr) return;
  direction_ = 1;
  look_on(*item);
}

void TimeAhead::follow(std::uint64_t id, const SourceSelection& before) {
  const Item* item = items_.find(id);
  if (item == nullptr || id != items_.current_id()) return;
  if (id != item_) direction_ = 0;
  if (plays_) {
    direction_ = 1;
  } else if (item->selection.time != before.time) {
    direction_ = item->selection.time > before.time ? 1 : -1;
  }
  look_on(*item);
}

// Finds out which time point is next.
void TimeAhead::look_on(const Item& item) {
  item_ = item.id;
  next_.reset();
  const int times = item.source ? item.source->times : 1;
  const int next = item.selection.time + direction_;
  if (times > 1 && direction_ != 0) {
    if (next >= 0 && next < times) {
      next_ = next;
    } else if (plays_) {
      next_ = (next + times) % times;
    }
  }
  renew();
}

std::optional<FilePart> TimeAhead::wanted() const {
  const Item* item = items_.current();
  if (item == nullptr || item->id != item_ || !item->source || !next_ ||
      *next_ == item->selection.time) {
    return std::nullopt;
  }
  // An overview is chosen so that it is read at once, and there is no memory for more of its file.
  if (file_level(*item)) return std::nullopt;
  SourceSelection selection = item->selection;
  selection.time = *next_;
  return part_of(*item, selection);
}

void TimeAhead::renew() {
  auto part = wanted();
  if (part == part_) return;
  const Item* item = part_ ? items_.find(part_->item) : nullptr;
  if (item != nullptr && item->selection == part_->selection) leave_build();
  forget();
  if (part) read(*items_.current(), *part);
}

// What was read is shown by now. On the CPU its raycaster that is being built is the one that the
// window waits for, as a data set has one; on another device it would be a second.
void TimeAhead::leave_build() {
  if (left_ != 0) jobs_.cancel(std::exchange(left_, 0));
  if (services_.backend->id() == cpu_backend()->id()) left_ = std::exchange(build_, 0);
}

void TimeAhead::release() {
  next_.reset();
  forget();
}

void TimeAhead::forget() {
  if (reading_) reading_->end(std::nullopt);
  if (job_ != 0) jobs_.cancel(std::exchange(job_, 0));
  if (build_ != 0) jobs_.cancel(std::exchange(build_, 0));
  part_.reset();
  reading_.reset();
}

// Reads first, and builds raycasters in a lane of their own: the next reading waits for none.
void TimeAhead::read(const Item& item, const FilePart& part) {
  part_ = part;
  reading_ = std::make_shared<PartReading>();
  job_ = jobs_.post(
      Lane::preview, tr("Reading %1").arg(file_title(*item.source)), {}, this,
      [info = *item.source, part, reading = reading_,
       memory = large_.memory()](const JobContext& context) -> Result<LoadedPart> {
        auto read = fits_twice(info, part, memory) ? load_part(info, part, context)
                                                   : Result<LoadedPart>(cancelled_error());
        reading->end(read ? std::optional(*read) : std::nullopt);
        return read;
      },
      // Errors are told when the time point is asked for, and not before. Here a job ends that ran
      // out of memory, or never ran.
      [this, reading = reading_](const Result<LoadedPart>& read) {
        reading->end(std::nullopt);
        if (read && reading == reading_) build(*read);
      });
}

void TimeAhead::build(const LoadedPart& part) {
  build_ = jobs_.post(
      Lane::full, tr("Preparing the 3-D view"), {}, this,
      // Not captured as what it is, a constant.
      [whole = LoadedPart(part), reading = reading_,
       backend = services_.backend](const JobContext& context) mutable -> Result<bool> {
        whole.renders = backend;
        add_raycaster(whole.chosen, *backend, context);
        for (auto& [channel, data] : whole.others) add_raycaster(data, *backend, context);
        reading->complete(std::move(whole));
        return true;
      },
      [](const Result<bool>&) {});
}

void TimeAhead::expect(const FilePart& part) {
  if (part == part_) return;
  next_.reset();
  forget();
}

std::optional<LoadedPart> TimeAhead::take(const FilePart& part) {
  if (part != part_ || !reading_->ended()) return std::nullopt;
  auto read = reading_->wait({});
  leave_build();
  next_.reset();
  forget();
  return read;
}

std::shared_ptr<const PartReading> TimeAhead::reading(const FilePart& part) const {
  return part == part_ ? reading_ : nullptr;
}

bool TimeAhead::ready() const { return reading_ && reading_->ended() && reading_->wait({}); }

}  // namespace aprscope::gui
