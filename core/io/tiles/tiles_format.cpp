#include "core/io/tiles/tiles_format.hpp"

#include <set>
#include <type_traits>
#include <utility>
#include <variant>

#include "core/io/common/read_limits.hpp"
#include "core/io/tiles/fused_slices.hpp"
#include "core/io/tiles/tile_list.hpp"

namespace aprscope {
namespace {

// Comments may stand before the first setting.
constexpr std::size_t kHead = 4096;

Result<bool> is_list(const Probe& probe) { return is_tile_list(probe.head(kHead)); }

Result<SourceInfo> inspect_list(const Probe& probe, const TileReaders& readers) {
  // Else a list could name itself without end.
  if (!probe.dataset().empty()) {
    return Error{"is a list of tiles, which has no images by name", probe.path().string(),
                 "leave out what stands behind the colon"};
  }
  const auto set = open_tile_set(probe.path(), readers, probe.context());
  if (!set) return set.error();
  const SourceInfo& first = set->tiles.front().info;
  SourceInfo info;
  info.path = probe.path();
  info.format = std::to_string(set->tiles.size()) + " tiles, " + first.format;
  info.size = set->size;
  info.dtype = first.dtype;
  info.voxel = first.voxel;
  info.channels = first.channels;
  info.hints = first.hints;
  info.times = first.times;
  std::set<std::filesystem::path> files;
  for (const PlacedTile& tile : set->tiles) {
    if (files.insert(tile.info.path).second) {
      info.file_bytes += tile.info.file_bytes;
      info.further.push_back(tile.info.path);
    }
    info.further.insert(info.further.end(), tile.info.further.begin(), tile.info.further.end());
  }
  return info;
}

Result<std::unique_ptr<SliceSource>> slices_of(const SourceInfo& info,
                                               const SourceSelection& selection,
                                               const TileReaders& readers) {
  auto set = open_tile_set(info.path, readers, {});
  if (!set) return set.error();
  // The sums of a slice, and a slice of a tile.
  const auto plane =
      static_cast<std::uint64_t>(set->size.x) * static_cast<std::uint64_t>(set->size.y);
  if (Status room = check_memory(3 * sizeof(float) * plane, info.path); !room) return room.error();
  const auto first = readers.slices(set->tiles.front().info, selection);
  if (!first) return first.error();
  Volume header = (*first)->header();
  header.name = info.path.stem().string();
  for (std::size_t d = 0; d < 3; ++d) header.origin[d] = 0.0;
  const SampleKind kind = (*first)->kind();
  return fused_slices(*std::move(set), readers, selection, kind, std::move(header));
}

template <class T>
Status read_all(SliceSource& source, Pixels<T>& pixels, const JobContext& context) {
  const Size3 size = source.size();
  for (std::int64_t z = 0; z < size.z; ++z) {
    if (context.stop_requested()) return cancelled_error();
    context.report(static_cast<double>(z) / static_cast<double>(size.z), "reading");
    T* const to = pixels.values.data() + z * size.x * size.y;
    if (Status got = source.read(z, to, context); !got) return got;
  }
  return {};
}

Result<Data> load_all(const SourceInfo& info, const SourceSelection& selection,
                      const TileReaders& readers, const JobContext& context) {
  auto source = slices_of(info, selection, readers);
  if (!source) return source.error();
  Volume volume = (*source)->header();
  const auto fill = [&]<class T>(T) -> Status {
    auto pixels = allocate_pixels<T>((*source)->size(), info.path);
    if (!pixels) return pixels.error();
    if (Status got = read_all(**source, *pixels, context); !got) return got;
    volume.pixels = *std::move(pixels);
    return {};
  };
  Status done;
  switch ((*source)->kind()) {
    case SampleKind::u8:
      done = fill(std::uint8_t{});
      break;
    case SampleKind::u16:
      done = fill(std::uint16_t{});
      break;
    case SampleKind::f32:
      done = fill(float{});
      break;
  }
  if (!done) return done.error();
  return Data(std::move(volume));
}

// Labels of overlapping tiles are no numbers that have a mean.
Status no_labels(const SourceInfo& info) {
  return Error{"is a list of tiles, which are blended where they overlap, so that it has no labels",
               info.path.string(), "fuse the tiles, then label the image"};
}

Result<std::vector<MetadataPart>> list_text(const SourceInfo& info, const JobContext&) {
  auto part = metadata_file("Tile list", info.path);
  if (!part) return part.error();
  return std::vector<MetadataPart>{*std::move(part)};
}

}  // namespace

Format tiles_format(const TileReaders& readers) {
  return {.id = "tiles",
          .name = "tile list",
          .endings = {".txt"},
          .mime_types = {"application/x-tile-configuration"},
          .particles = false,
          .folders = false,
          .is_it = is_list,
          .inspect = [readers](Probe& probe) { return inspect_list(probe, readers); },
          .load =
              [readers](const SourceInfo& info, const SourceSelection& selection,
                        const JobContext& context) {
                return load_all(info, selection, readers, context);
              },
          .slices =
              [readers](const SourceInfo& info, const SourceSelection& selection) {
                return slices_of(info, selection, readers);
              },
          .exactly = [](const SourceInfo& info, const SourceSelection&, const SliceVisitor&,
                        const JobContext&) { return no_labels(info); },
          .metadata = list_text};
}

}  // namespace aprscope
