#include "core/io/imaris/imaris_format.hpp"

#include <algorithm>
#include <utility>

#include "core/io/common/headed_slices.hpp"
#include "core/io/common/read_limits.hpp"
#include "core/io/hdf5/hdf5_probe.hpp"
#include "core/io/hdf5/hdf5_volume.hpp"
#include "core/io/imaris/imaris_file.hpp"
#include "core/io/imaris/imaris_metadata.hpp"

namespace aprscope {
namespace {

Result<bool> holds_imaris(Probe& probe) {
  const auto held = probe_hdf5(probe);
  if (!held) return held.error();
  return *held != nullptr && (*held)->imaris;
}

Result<SourceInfo> inspect_file(const Probe& probe) {
  const auto file = read_imaris(probe.hdf5->reader, probe.dataset());
  if (!file) return file.error();
  const auto view = imaris_view(*file, 0, 0);
  if (!view) return view.error();
  SourceInfo info;
  info.path = probe.path();
  info.format = "Imaris";
  if (!file->remark.empty()) info.format += " (" + file->remark + ")";
  info.size = view->size;
  info.dtype = view->dtype;
  info.voxel = view->place.voxel;
  info.channels.clear();
  for (const ImarisChannel& channel : file->shown) {
    info.channels.push_back(channel.name);
    info.hints.push_back(channel.hint);
  }
  const auto silent = [](const ChannelHint& hint) { return hint == ChannelHint{}; };
  if (std::all_of(info.hints.begin(), info.hints.end(), silent)) info.hints.clear();
  info.times = static_cast<int>(file->times.size());
  info.seconds = file->seconds;
  if (file->level > 0) info.dataset = "/" + std::to_string(file->level);
  info.file_bytes = file->reader->file_bytes();
  return info;
}

// The array to read, and the header that the file gives it.
struct View {
  SourceInfo source;
  Volume header;
};

Result<View> view_of(const SourceInfo& info, const SourceSelection& selection,
                     const JobContext& context) {
  const auto reader = Hdf5Reader::open(info.path, context.stop_token());
  if (!reader) return reader.error();
  const auto file = read_imaris(*reader, info.dataset);
  if (!file) return file.error();
  const auto channels = std::ssize(file->channels);
  const auto times = std::ssize(file->times);
  if (selection.channel < 0 || selection.channel >= channels || selection.time < 0 ||
      selection.time >= times) {
    return Error{"has no channel " + std::to_string(selection.channel) + " at time point " +
                     std::to_string(selection.time),
                 info.path.string(),
                 "choose channels 0 to " + std::to_string(channels - 1) + ", time points 0 to " +
                     std::to_string(times - 1)};
  }
  const auto c = static_cast<std::size_t>(selection.channel);
  auto view = imaris_view(*file, c, static_cast<std::size_t>(selection.time));
  if (!view) return view.error();
  if (view->size != info.size) {
    return Error{"has " + size_text(view->size) +
                     " pixels (z, x, y), but its first channel and "
                     "time point " +
                     size_text(info.size),
                 info.path.string() + ":" + view->dataset,
                 "open it by this name, as an image of its own"};
  }
  View made;
  made.source.path = info.path;
  made.source.dataset = std::move(view->dataset);
  made.header.voxel = view->place.voxel;
  made.header.origin = view->place.origin;
  made.header.name = info.path.stem().string();
  made.header.channel = file->shown[c].name;
  made.header.channel_index = selection.channel;
  made.header.time = selection.time;
  return made;
}

Result<Data> read_data(const SourceInfo& info, const SourceSelection& selection,
                       const JobContext& context) {
  auto view = view_of(info, selection, context);
  if (!view) return view.error();
  auto volume = load_hdf5(view->source, {}, context, info.size);
  if (!volume) return volume.error();
  view->header.pixels = std::move(volume->pixels);
  return Data(std::move(view->header));
}

Result<std::unique_ptr<SliceSource>> slices_of(const SourceInfo& info,
                                               const SourceSelection& selection) {
  auto view = view_of(info, selection, {});
  if (!view) return view.error();
  auto slices = open_hdf5_slices(view->source, {}, info.size);
  if (!slices) return slices;
  return headed_slices(*std::move(slices), std::move(view->header));
}

Status read_exactly(const SourceInfo& info, const SourceSelection& selection,
                    const SliceVisitor& visit, const JobContext& context) {
  const auto view = view_of(info, selection, context);
  if (!view) return view.error();
  return read_hdf5_exactly(view->source, {}, visit, context, info.size);
}

}  // namespace

Format imaris_format() {
  return {.id = "imaris",
          .name = "Imaris",
          .endings = {".ims"},
          // Desktops take the file for any HDF5 file.
          .mime_types = {"application/x-imaris"},
          .particles = false,
          .is_it = holds_imaris,
          .inspect = inspect_file,
          .load = read_data,
          .slices = slices_of,
          .exactly = read_exactly,
          .metadata = read_imaris_metadata};
}

}  // namespace aprscope
