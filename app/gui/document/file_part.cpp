#include "app/gui/document/file_part.hpp"

#include <chrono>
#include <utility>

#include "app/gui/document/large_files.hpp"

namespace aprscope::gui {
namespace {

// A job that waits looks this often whether it is to stop.
constexpr auto kLook = std::chrono::milliseconds(10);

}  // namespace

FilePart part_of(const Item& item, const SourceSelection& selection) {
  FilePart part{item.id, selection, file_level(item), item.typed_voxel, {}};
  if (item.selection.time != selection.time) {
    part.others = Channels::others_seen(item, selection.channel);
  }
  return part;
}

Result<LoadedPart> load_part(const SourceInfo& info, const FilePart& part,
                             const JobContext& context) {
  LoadedPart out;
  const double count = static_cast<double>(part.others.size()) + 1.0;
  auto chosen = Channels::load_channel(info, part.selection, part.level, part.typed_voxel,
                                       context.part(0.0, 1.0 / count));
  if (!chosen) return chosen.error();
  out.chosen = *std::move(chosen);
  double at = 1.0;
  for (const int channel : part.others) {
    auto other =
        Channels::load_channel(info, {channel, part.selection.time}, part.level, part.typed_voxel,
                               context.part(at / count, (at + 1.0) / count));
    if (!other) return other.error();
    out.others[channel] = *std::move(other);
    at += 1.0;
  }
  return out;
}

void PartReading::end(std::optional<LoadedPart> part) {
  {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
    ended_ = true;
    part_ = std::move(part);
  }
  changed_.notify_all();
}

void PartReading::complete(LoadedPart part) {
  const std::lock_guard lock(mutex_);
  if (part_) part_ = std::move(part);
}

bool PartReading::ended() const {
  const std::lock_guard lock(mutex_);
  return ended_;
}

std::optional<LoadedPart> PartReading::wait(const JobContext& context) const {
  std::unique_lock lock(mutex_);
  while (!ended_ && !context.stop_requested()) changed_.wait_for(lock, kLook);
  return part_;
}

}  // namespace aprscope::gui
