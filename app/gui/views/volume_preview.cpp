#include "app/gui/views/volume_preview.hpp"

#include <utility>

#include "app/gui/document/large_files.hpp"
#include "app/gui/document/release.hpp"
#include "core/base/system.hpp"
#include "core/operations/engine/registry.hpp"

namespace aprscope::gui {
namespace {

// Values that are filtered in about a second. With more of them a film would stand still.
constexpr std::uint64_t kMostValues = std::uint64_t{1} << 25;

std::uint64_t values_of(const Dataset& data) {
  return data.is_apr() ? data.apr().access->count()
                       : static_cast<std::uint64_t>(data.size().count());
}

// Whether there is memory for a result and for what the 3-D view makes of it, twice: that of the
// time point before is still shown.
bool fits(const Operation& filter, const Dataset& data, const Backend& backend) {
  const std::uint64_t free = available_bytes();
  if (free == 0) return true;
  const std::uint64_t result = 2 * values_of(data) * sizeof(float);
  return backend.estimate_bytes(filter, data) + 2 * result < free / 2;
}

}  // namespace

VolumePreview::VolumePreview(Document& document, QObject* parent)
    : QObject(parent), document_(document) {
  connect(&document.items(), &ItemList::current_changed, this, &VolumePreview::renew);
  connect(&document.items(), &ItemList::data_changed, this, &VolumePreview::renew);
  connect(&document.preview(), &PreviewState::changed, this, &VolumePreview::renew);
  connect(&document, &Document::backend_changed, this, &VolumePreview::renew);
}

void VolumePreview::set_seen(bool seen) {
  if (std::exchange(seen_, seen) != seen) renew();
}

std::optional<VolumePreview::Request> VolumePreview::request() const {
  const Item* item = document_.items().current();
  const auto& filter = document_.preview().operation();
  if (!seen_ || item == nullptr || !filter || traits_of(*filter).preview != Previewed::region) {
    return std::nullopt;
  }
  // A time point of a film, and not the overview of one.
  if (!item->source || item->source->times < 2 || file_level(*item)) return std::nullopt;
  if (!has_values(*item->dataset) || values_of(*item->dataset) > kMostValues) return std::nullopt;
  return Request{item->id, item->selection.channel, item->dataset, *filter,
                 document_.shared_backend()};
}

void VolumePreview::renew() {
  const auto now = request();
  if (now == asked_) return;
  // Along time, and while parameters are edited, what was made stays until the new one is there.
  const bool stays = now && asked_ && now->item == asked_->item &&
                     now->channel == asked_->channel && now->backend == asked_->backend &&
                     now->dataset->size() == asked_->dataset->size();
  if (job_ != 0) document_.background().cancel(std::exchange(job_, 0));
  ++newest_;
  if (stays) {
    asked_ = now;
  } else {
    end();
  }
  if (now) start(*now);
}

void VolumePreview::end() {
  asked_.reset();
  contrast_.reset();
  // Later, as others hear only now that other data is shown.
  if (std::exchange(made_, {}).raycaster) {
    QMetaObject::invokeMethod(this, &VolumePreview::changed, Qt::QueuedConnection);
  }
}

void VolumePreview::start(const Request& request) {
  asked_ = request;
  ++newest_;
  job_ = document_.background().post(
      Lane::preview, tr("Preview"), "volume preview", this,
      [request](const JobContext& context) -> Result<Made> {
        Made made{{}, {}, request.filter};
        if (!fits(request.filter, *request.dataset, *request.backend)) return made;
        auto data = request.backend->run(request.filter, *request.dataset, context.part(0.0, 0.6));
        if (!data) return data.error();
        const auto filtered = Dataset::create(*std::move(data));
        if (range_of(request.filter) == Range::own) {
          made.contrast = automatic_contrast(*histogram_of(*filtered));
        }
        auto built =
            request.backend->raycaster(released_elsewhere(filtered), context.part(0.6, 1.0));
        if (!built) return built.error();
        made.raycaster = released_elsewhere(*std::move(built));
        return made;
      },
      [this, number = newest_](const Result<Made>& made) {
        if (number == newest_) take(made);
      });
}

void VolumePreview::take(const Result<Made>& made) {
  job_ = 0;
  // Slices tell what is wrong with a filter; this shows the data as it is then.
  const Made before = std::exchange(made_, made ? *made : Made());
  const bool along_time = before.raycaster && made_.raycaster && before.filter == made_.filter;
  if (!along_time) contrast_ = made_.contrast;
  emit changed();
}

}  // namespace aprscope::gui
