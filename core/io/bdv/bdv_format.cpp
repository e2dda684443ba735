#include "core/io/bdv/bdv_format.hpp"

#include <optional>
#include <set>
#include <utility>

#include "core/io/bdv/bdv_views.hpp"
#include "core/io/common/file_watch.hpp"
#include "core/io/common/headed_slices.hpp"
#include "core/io/hdf5/hdf5_volume.hpp"
#include "core/io/zarr/zarr_volume.hpp"

namespace aprscope {
namespace {

// Comments may stand before the root.
constexpr std::size_t kHead = 4096;

Result<bool> is_bdv(const Probe& probe) { return is_bdv_xml(probe.head(kHead)); }

// Size and place of the pixels of one level.
BdvPlace place_at(const BdvProject& project, std::size_t setup, std::size_t time,
                  const std::array<double, 3>& factors) {
  const BdvSetup& one = project.setups[setup];
  const auto found = project.registrations.find({project.times[time], one.id});
  BdvPlace place = place_of(one, found == project.registrations.end() ? nullptr : &found->second);
  const std::array<double*, 3> sides{&place.voxel.z, &place.voxel.x, &place.voxel.y};
  for (std::size_t d = 0; d < 3; ++d) {
    // A pixel is the mean of those that it covers, so its centre is that of all of them.
    place.origin[d] += 0.5 * (factors[d] - 1.0) * *sides[d];
    *sides[d] *= factors[d];
  }
  return place;
}

// The first view of an image that was recorded, as setup and time point; the first of all where
// none was.
std::pair<std::size_t, std::size_t> first_view(const BdvProject& project, const BdvImage& image) {
  const std::set<std::pair<std::int64_t, std::int64_t>> missing(project.missing.begin(),
                                                                project.missing.end());
  for (std::size_t t = 0; t < project.times.size(); ++t) {
    for (const std::size_t setup : image.setups) {
      if (missing.count({project.times[t], project.setups[setup].id}) == 0) return {setup, t};
    }
  }
  return {image.setups.front(), 0};
}

Result<SourceInfo> inspect_file(const Probe& probe) {
  const auto project = read_bdv(probe.path());
  if (!project) return project.error();
  const auto choice = bdv_choice(*project, probe.dataset(), probe.path());
  if (!choice) return choice.error();
  const auto [setup, time] = first_view(*project, choice->image);
  const auto pixels =
      bdv_pixels(*project, probe.path(), setup, time, choice->level, probe.context());
  if (!pixels) return pixels.error();
  const BdvPlace place = place_at(*project, setup, time, pixels->factors);
  SourceInfo info;
  info.path = probe.path();
  info.format = pixels->in_n5 ? "BigDataViewer, N5" : "BigDataViewer, HDF5";
  info.turned = place.more;
  if (place.more) info.format += " (turned or sheared by its registration: not applied)";
  info.size = pixels->source.size;
  info.dtype = pixels->source.dtype;
  info.voxel = place.voxel;
  info.channels = choice->image.channels;
  info.times = static_cast<int>(project->times.size());
  const auto images = bdv_images(*project);
  if (images.size() > 1) {
    for (const BdvImage& image : images) info.datasets.push_back(image.name);
  }
  info.dataset = choice->image.name;
  if (choice->level > 0) info.dataset += "/" + std::to_string(choice->level);
  info.file_bytes = pixels->source.file_bytes;
  info.further = bdv_files(*project, probe.path());
  return info;
}

// The pixels to read, and the header that the XML gives them.
struct View {
  BdvPixels pixels;
  Volume header;
};

Result<View> view_of(const SourceInfo& info, const SourceSelection& selection,
                     const JobContext& context) {
  const auto project = read_bdv(info.path);
  if (!project) return project.error();
  const auto choice = bdv_choice(*project, info.dataset, info.path);
  if (!choice) return choice.error();
  const auto channels = std::ssize(choice->image.setups);
  const auto times = std::ssize(project->times);
  if (selection.channel < 0 || selection.channel >= channels || selection.time < 0 ||
      selection.time >= times) {
    return Error{"has no channel " + std::to_string(selection.channel) + " at time point " +
                     std::to_string(selection.time),
                 info.path.string(),
                 "choose channels 0 to " + std::to_string(channels - 1) + ", time points 0 to " +
                     std::to_string(times - 1)};
  }
  const auto c = static_cast<std::size_t>(selection.channel);
  const auto t = static_cast<std::size_t>(selection.time);
  const std::size_t setup = choice->image.setups[c];
  auto pixels = bdv_pixels(*project, info.path, setup, t, choice->level, context);
  if (!pixels) return pixels.error();
  const BdvPlace place = place_at(*project, setup, t, pixels->factors);
  View view{*std::move(pixels), {}};
  view.header.voxel = place.voxel;
  view.header.origin = place.origin;
  view.header.name = info.path.stem().string();
  view.header.channel = choice->image.channels[c];
  view.header.channel_index = selection.channel;
  view.header.time = selection.time;
  return view;
}

// Files of HDF5 beside the one that is opened must stay the same, too; N5 looks after its own.
Result<std::optional<FileWatch>> watch_of(const BdvPixels& pixels) {
  if (pixels.in_n5) return std::optional<FileWatch>();
  auto watch = FileWatch::begin(pixels.source.path);
  if (!watch) return watch.error();
  return std::optional<FileWatch>(*std::move(watch));
}

Status still(const std::optional<FileWatch>& watch) {
  return watch ? watch->unchanged() : Status();
}

Result<Data> read_data(const SourceInfo& info, const SourceSelection& selection,
                       const JobContext& context) {
  auto view = view_of(info, selection, context);
  if (!view) return view.error();
  const auto watch = watch_of(view->pixels);
  if (!watch) return watch.error();
  const SourceInfo& source = view->pixels.source;
  auto volume =
      view->pixels.in_n5 ? load_zarr(source, {}, context) : load_hdf5(source, {}, context);
  if (volume || !volume.error().cancelled()) {
    if (Status same = still(*watch); !same) return same.error();
  }
  if (!volume) return volume.error();
  view->header.pixels = std::move(volume->pixels);
  return Data(std::move(view->header));
}

Result<std::unique_ptr<SliceSource>> slices_of(const SourceInfo& info,
                                               const SourceSelection& selection) {
  auto view = view_of(info, selection, {});
  if (!view) return view.error();
  auto watch = watch_of(view->pixels);
  if (!watch) return watch.error();
  const SourceInfo& source = view->pixels.source;
  auto slices = view->pixels.in_n5 ? open_zarr_slices(source, {}) : open_hdf5_slices(source, {});
  if (!slices) return slices;
  std::unique_ptr<SliceSource> made = headed_slices(*std::move(slices), std::move(view->header));
  if (!*watch) return made;
  return watched_slices(std::move(made), **std::move(watch));
}

Status read_exactly(const SourceInfo& info, const SourceSelection& selection,
                    const SliceVisitor& visit, const JobContext& context) {
  const auto view = view_of(info, selection, context);
  if (!view) return view.error();
  const auto watch = watch_of(view->pixels);
  if (!watch) return watch.error();
  const SourceInfo& source = view->pixels.source;
  Status read = view->pixels.in_n5 ? read_zarr_exactly(source, {}, visit, context)
                                   : read_hdf5_exactly(source, {}, visit, context);
  if (!read && read.error().cancelled()) return read;
  if (Status same = still(*watch); !same) return same;
  return read;
}

Result<std::vector<MetadataPart>> text_of(const SourceInfo& info, const JobContext&) {
  auto part = metadata_file("BigDataViewer XML", info.path);
  if (!part) return part.error();
  return std::vector<MetadataPart>{*std::move(part)};
}

}  // namespace

Format bdv_format() {
  return {.id = "bdv",
          .name = "BigDataViewer",
          .endings = {".xml"},
          // Desktops know no type for these files, and not every XML file is one.
          .mime_types = {"application/x-bigdataviewer+xml"},
          .particles = false,
          .is_it = is_bdv,
          .inspect = inspect_file,
          .load = read_data,
          .slices = slices_of,
          .exactly = read_exactly,
          .metadata = text_of};
}

}  // namespace aprscope
