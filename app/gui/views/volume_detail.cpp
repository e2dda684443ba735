#include "app/gui/views/volume_detail.hpp"

#include <QEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/document/large_files.hpp"
#include "app/gui/document/release.hpp"
#include "core/image/plane_axes.hpp"
#include "core/pipeline/file_volume.hpp"

namespace aprscope::gui {
namespace {

// Reading takes longer than turning: the camera has to rest.
constexpr int kRestMs = 250;
// What is read beyond what is in sight, so that small movements find it there: of each side.
constexpr double kWider = 0.0625;
// Share of reading against building the renderer.
constexpr double kReadingShare = 0.8;
// Bytes of a cell while it is read, and with its renderer.
constexpr std::uint64_t kCellBytes = 16;

bool inside(const Region& part, const Region& all) {
  return all.begin.z <= part.begin.z && all.begin.x <= part.begin.x &&
         all.begin.y <= part.begin.y && part.end.z <= all.end.z && part.end.x <= all.end.x &&
         part.end.y <= all.end.y;
}

// With `margin` more on each side, as far as there are cells: the last pixels of an overview may
// lie partly behind the end of the image.
Region widened(const Region& box, double margin, const Size3& size) {
  Region out = box;
  for (const Axis axis : {Axis::z, Axis::x, Axis::y}) {
    std::int64_t& begin = component(out.begin, axis);
    std::int64_t& end = component(out.end, axis);
    const auto more =
        static_cast<std::int64_t>(std::ceil(margin * static_cast<double>(end - begin)));
    const std::int64_t last = component(size, axis);
    begin = std::clamp<std::int64_t>(begin - more, 0, last - 1);
    end = std::clamp(end + more, begin + 1, last);
  }
  return out;
}

// Where particles up to a side of 32 pixels are not split by a box that begins there.
Index3 aligned(const Index3& p) { return {p.z / 32 * 32, p.x / 32 * 32, p.y / 32 * 32}; }

}  // namespace

VolumeDetail::VolumeDetail(Document& document, DetailFeed& file, MipView& mip, QObject* parent)
    : QObject(parent), document_(document), file_(file), mip_(mip) {
  soon_.setSingleShot(true);
  soon_.setInterval(kRestMs);
  connect(&soon_, &QTimer::timeout, this, [this] { ask(); });
  connect(&mip, &MipView::camera_changed, this, &VolumeDetail::look_again);
  connect(&document.view(), &ViewState::clip_changed, this, &VolumeDetail::look_again);
  connect(&document.view(), &ViewState::options_changed, this, &VolumeDetail::look_again);
  connect(&document.channels(), &Channels::changed, this, &VolumeDetail::look_again);
  connect(&document.items(), &ItemList::display_changed, this, &VolumeDetail::look_again);
  mip.installEventFilter(this);
  connect(&file, &DetailFeed::file_changed, this, [this] {
    gave_up_.reset();
    remove();
    look_again();
  });
}

bool VolumeDetail::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Show || event->type() == QEvent::Resize) look_again();
  return QObject::eventFilter(watched, event);
}

void VolumeDetail::look_again() {
  if (file_.file()) soon_.start();
}

// What is being read is of no use any more.
void VolumeDetail::stop_reading() {
  ++asked_;
  if (std::exchange(reading_, std::nullopt)) document_.background().cancel(job_);
}

void VolumeDetail::remove() {
  stop_reading();
  soon_.stop();
  shown_.reset();
  mip_.rays().set_detail(nullptr);
}

// Only what shows the data themselves.
bool VolumeDetail::wanted() const {
  const Item* item = document_.items().current();
  return file_.file() && item != nullptr && item->raycaster && mip_.isVisible() &&
         !mip_.slices().shown();
}

// The finest cells that the screen can show and that may be read; none: those of the overview.
std::optional<VolumeDetail::Part> VolumeDetail::in_sight(double margin) const {
  const SourceInfo& file = *file_.file();
  const Dataset& overview = *document_.items().current()->dataset;
  const int own = file_.overview_level();
  const int finest = finest_level(file.size);
  const double ratio = mip_.devicePixelRatioF();
  const int height = std::max(1, qRound(mip_.height() * ratio));
  int level = level_of_rays(mip_.navigation().ray_camera(), file.size,
                            finer_voxel(overview.voxel(), finest - own), height, finest);
  const std::uint64_t room = document_.opener().large_files().memory() / 4 / kCellBytes;
  const std::vector<int> channels = mip_.channels().shown();
  const int chosen = document_.items().current()->selection.channel;
  // The item's own is read with others, too.
  const bool among = std::find(channels.begin(), channels.end(), chosen) != channels.end();
  const std::int64_t volumes = std::ssize(channels) + (among ? 0 : 1);
  const auto most = static_cast<std::int64_t>(
                        std::min<std::uint64_t>(static_cast<std::uint64_t>(most_cells_), room)) /
                    volumes;
  for (; level > own; --level) {
    const Size3 grid = level_grid(file.size, finest, level);
    const auto seen = mip_.rays().in_sight(level - own);
    if (!seen) return std::nullopt;
    Part part{document_.items().current()->selection, level, widened(*seen, margin, grid),
              channels};
    if (level == finest) part.cells.begin = aligned(part.cells.begin);
    if (part.cells.size().count() <= most) return part;
  }
  return std::nullopt;
}

void VolumeDetail::ask() {
  if (!wanted()) return;
  // It goes with the volume.
  if (!mip_.rays().detail()) shown_.reset();
  if (gave_up_ && gave_up_->selection == document_.items().current()->selection &&
      gave_up_->channels == mip_.channels().shown()) {
    return;
  }
  gave_up_.reset();
  const auto needed = in_sight(0.0);
  if (!needed) {
    remove();
    return;
  }
  auto part = in_sight(kWider);
  // The margin alone is no reason for coarser cells.
  if (!part || part->level < needed->level) part = needed;
  if (shown_ && covers(*shown_, *needed)) {
    stop_reading();
    return;
  }
  if (reading_ && covers(*reading_, *needed)) return;
  read(*part);
}

bool VolumeDetail::covers(const Part& has, const Part& needed) {
  return has.selection == needed.selection && has.level == needed.level &&
         inside(needed.cells, has.cells) &&
         std::includes(has.channels.begin(), has.channels.end(), needed.channels.begin(),
                       needed.channels.end());
}

void VolumeDetail::read(const Part& part) {
  stop_reading();
  reading_ = part;
  const std::uint64_t number = ++asked_;
  const Item& item = *document_.items().current();
  // Not in the way of slices, which are read sooner.
  job_ = document_.background().post(
      Lane::full, tr("Reading %1").arg(item.name), {}, this,
      [info = *file_.file(), part, finer = part.level - file_.overview_level(),
       backend = document_.shared_backend()](const JobContext& context) {
        return load(info, part, finer, *backend, context);
      },
      [this, part, number](const Result<Detail>& made) {
        if (number != asked_ || !reading_) return;
        reading_.reset();
        const Item* now = document_.items().current();
        if (now == nullptr || now->selection != part.selection) return look_again();
        if (!made) {
          // Once is enough.
          if (made.error().cancelled()) return;
          gave_up_ = part;
          document_.messages().say(made.error());
          return;
        }
        // A file without a tree has no levels but the finest.
        if (!*made) {
          gave_up_ = part;
          return;
        }
        shown_ = part;
        mip_.rays().set_detail(*made);
      });
}

// The item's own channel is needed with others, too: for surfaces.
Result<VolumeDetail::Detail> VolumeDetail::load(const SourceInfo& info, const Part& part, int finer,
                                                const Backend& backend, const JobContext& context) {
  const SourceSelection& own = part.selection;
  std::vector<int> channels{own.channel};
  for (const int channel : part.channels) {
    if (channel != own.channel) channels.push_back(channel);
  }
  MipDetail out{{}, finer, part.cells, {}};
  const double n = static_cast<double>(channels.size());
  for (const int channel : channels) {
    const double at = static_cast<double>(out.channels.size());
    const JobContext share = context.part(at / n, (at + 1.0) / n);
    auto volume = volume_of_file(info, {channel, own.time}, part.level, part.cells,
                                 share.part(0.0, kReadingShare));
    if (!volume) return volume.error();
    if (!*volume) return Detail();
    auto made = backend.raycaster((*volume)->data, share.part(kReadingShare, 1.0));
    if (!made) return made.error();
    auto raycaster = released_elsewhere(*std::move(made));
    if (channel == own.channel) out.raycaster = raycaster;
    out.channels.push_back({channel, std::move(raycaster)});
  }
  return Detail(std::make_shared<const MipDetail>(std::move(out)));
}

}  // namespace aprscope::gui
