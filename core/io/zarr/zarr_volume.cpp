#include "core/io/zarr/zarr_volume.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>
#include <optional>
#include <vector>

#include "core/base/memory_error.hpp"
#include "core/base/parallel.hpp"
#include "core/io/common/read_limits.hpp"
#include "core/io/zarr/zarr_chunks.hpp"
#include "core/io/zarr/zarr_image.hpp"

namespace aprscope {
namespace {

// Slices that are read together where chunks are flat, so that threads share work.
constexpr std::int64_t kSlabBytes = std::int64_t{16} << 20;

// A store and the image in it that was chosen.
struct OpenImage {
  ZarrStore store;
  ZarrImage image;
  SourceSelection selection;

  [[nodiscard]] Size3 size() const { return image.size(); }
  // The side of chunks along a dimension of the array; 1 where the array has none such.
  [[nodiscard]] std::int64_t side(int place) const {
    return place < 0 ? 1 : image.array.chunk[static_cast<std::size_t>(place)];
  }
  // Slices that are read together: whole chunks.
  [[nodiscard]] std::int64_t slab_depth() const {
    const Size3 s = size();
    const std::int64_t deep = side(image.axes.z);
    const std::int64_t slices = std::max<std::int64_t>(1, kSlabBytes / 4 / (s.x * s.y));
    if (deep >= s.z || slices >= s.z) return s.z;
    return std::min(s.z, (slices + deep - 1) / deep * deep);
  }
};

// The folder of a store, and what was asked for in it, where a level of a pyramid was named: what
// stands above it says how large its pixels are.
std::pair<std::filesystem::path, std::string> with_pyramid(const std::filesystem::path& given,
                                                           const std::string& asked) {
  std::error_code code;
  std::filesystem::path folder = std::filesystem::absolute(given, code).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();
  std::string key = asked;
  while (key.starts_with('/')) key.erase(0, 1);
  if (code || !key.empty()) return {given, asked};
  // "scale0/image" is as deep as levels are found.
  for (std::filesystem::path above = folder.parent_path(); key.size() < 200;
       above = above.parent_path()) {
    key = folder.lexically_relative(above).generic_string();
    if (std::count(key.begin(), key.end(), '/') > 1 || above == above.parent_path()) break;
    const auto store = ZarrStore::open(above);
    if (store && lists_level(*store, key)) return {above, key};
  }
  return {given, asked};
}

// Names inside a store begin with a slash, as those in HDF5 files do; none where it is an array.
std::string name_of(const std::string& key) { return key.empty() ? key : "/" + key; }

Result<OpenImage> open_image(const SourceInfo& info, const SourceSelection& selection,
                             const JobContext& context) {
  auto store = ZarrStore::open(info.path);
  if (!store) return store.error();
  auto image = zarr_image(*store, info.dataset, context);
  if (!image) return image.error();
  // Sizes that are multiplied below fit.
  if (const auto bytes = checked_bytes(image->size(), sizeof(double), 1, info.path); !bytes) {
    return bytes.error();
  }
  const auto channels = static_cast<int>(image->channels.size());
  if (selection.channel < 0 || selection.channel >= channels || selection.time < 0 ||
      selection.time >= image->times()) {
    return Error{"has no channel " + std::to_string(selection.channel) + " at time point " +
                     std::to_string(selection.time),
                 info.path.string(),
                 "choose channels 0 to " + std::to_string(channels - 1) + ", time points 0 to " +
                     std::to_string(image->times() - 1)};
  }
  return OpenImage{*std::move(store), *std::move(image), selection};
}

Volume header_of(const OpenImage& open, const SourceInfo& info) {
  Volume volume;
  volume.voxel = open.image.voxel;
  volume.origin = open.image.origin;
  volume.name = info.path.filename().string();
  for (const char* ending : {".zarr", ".ome", ".n5"}) {
    const std::string_view e(ending);
    if (volume.name.size() > e.size() && volume.name.ends_with(e)) {
      volume.name.resize(volume.name.size() - e.size());
    }
  }
  volume.channel = open.image.channels[static_cast<std::size_t>(open.selection.channel)];
  volume.channel_index = open.selection.channel;
  volume.time = open.selection.time;
  return volume;
}

// The chunks that a slab needs: they are counted, not listed, as there may be more than pixels of
// anything else.
class SlabChunks {
 public:
  SlabChunks(const OpenImage& open, std::int64_t z, std::int64_t depth) : open_(open) {
    const ZarrAxes& axes = open.image.axes;
    const Size3 size = open.size();
    first_z_ = z / open.side(axes.z);
    count_[0] = (z + depth - 1) / open.side(axes.z) - first_z_ + 1;
    count_[1] = (size.x - 1) / open.side(axes.x) + 1;
    count_[2] = (size.y - 1) / open.side(axes.y) + 1;
  }

  [[nodiscard]] std::int64_t count() const { return count_[0] * count_[1] * count_[2]; }

  // Where chunk i of them stands among those of the array.
  [[nodiscard]] std::vector<std::int64_t> place(std::int64_t i) const {
    const ZarrAxes& axes = open_.image.axes;
    std::vector<std::int64_t> at(open_.image.array.shape.size(), 0);
    const auto set = [&](int axis, std::int64_t value) {
      if (axis >= 0) at[static_cast<std::size_t>(axis)] = value;
    };
    set(axes.time, open_.selection.time / open_.side(axes.time));
    set(axes.channel, open_.selection.channel / open_.side(axes.channel));
    set(axes.y, i % count_[2]);
    set(axes.x, i / count_[2] % count_[1]);
    set(axes.z, first_z_ + i / count_[2] / count_[1]);
    return at;
  }

 private:
  const OpenImage& open_;
  std::int64_t first_z_ = 0;
  std::array<std::int64_t, 3> count_{1, 1, 1};
};

// What a chunk and a slab have in common along one dimension, in pixels of the image.
struct Stretch {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  // Of the chunk's first sample, and the step between samples in the chunk.
  std::int64_t first = 0;
  std::int64_t step = 0;
};

Stretch stretch_of(const OpenImage& open, const std::vector<std::int64_t>& place,
                   const ZarrChunk& chunk, int axis, std::int64_t from, std::int64_t to) {
  if (axis < 0) return {from, to, 0, 0};
  const auto d = static_cast<std::size_t>(axis);
  Stretch made;
  made.first = place[d] * open.image.array.chunk[d];
  made.begin = std::max(from, made.first);
  made.end = std::min(to, made.first + chunk.sides[d]);
  made.step = chunk.steps[d];
  return made;
}

// Copies what a chunk has of slices [z, z + depth) to `out`, which begins with slice z.
template <class T>
void place_chunk(const OpenImage& open, const std::vector<std::int64_t>& place,
                 const ZarrChunk& chunk, std::int64_t z, std::int64_t depth, T* out) {
  const ZarrArray& array = open.image.array;
  const ZarrAxes& axes = open.image.axes;
  const Size3 size = open.size();
  const Stretch in_z = stretch_of(open, place, chunk, axes.z, z, z + depth);
  const Stretch in_x = stretch_of(open, place, chunk, axes.x, 0, size.x);
  const Stretch in_y = stretch_of(open, place, chunk, axes.y, 0, size.y);
  const auto sample = static_cast<std::int64_t>(array.sample_bytes());
  std::int64_t base = 0;
  for (const auto& [axis, index] :
       {std::pair{axes.time, std::int64_t{open.selection.time}},
        std::pair{axes.channel, std::int64_t{open.selection.channel}}}) {
    if (axis < 0) continue;
    const auto d = static_cast<std::size_t>(axis);
    const std::int64_t inside = index - place[d] * array.chunk[d];
    // Chunks of N5 at the end may be smaller.
    if (inside >= chunk.sides[d]) return;
    base += inside * chunk.steps[d];
  }
  const std::int64_t columns = in_y.end - in_y.begin;
  if (columns <= 0) return;
  // A missing chunk repeats one sample.
  T fill{};
  if (chunk.missing) convert_row<T>(array.fill.data(), array.type, 0, 1, 1, &fill);
  for (std::int64_t i = in_z.begin; i < in_z.end; ++i) {
    for (std::int64_t j = in_x.begin; j < in_x.end; ++j) {
      T* const row = out + ((i - z) * size.x + j) * size.y + in_y.begin;
      if (chunk.missing) {
        std::fill_n(row, columns, fill);
        continue;
      }
      const std::int64_t at = base + (i - in_z.first) * in_z.step + (j - in_x.first) * in_x.step +
                              (in_y.begin - in_y.first) * in_y.step;
      convert_row<T>(chunk.bytes.data() + at * sample, array.type, 0, in_y.step, columns, row);
    }
  }
}

// Reads slices [z, z + depth). `out` holds the fill value where a smaller block of N5 has nothing.
template <class T>
Status read_slab(const OpenImage& open, const ZarrChunks& chunks, std::int64_t z,
                 std::int64_t depth, T* out, const JobContext& context) {
  const SlabChunks needed(open, z, depth);
  const std::int64_t count = needed.count();
  const std::size_t noted = open.store.files().count();
  const std::uint64_t chunk_bytes = open.image.array.chunk_bytes();
  // A chunk and what it is unpacked from for each thread.
  int threads = thread_count();
  const auto fits = [&] {
    return check_memory(3 * chunk_bytes * static_cast<std::uint64_t>(threads), open.store.path());
  };
  while (threads > 1 && !fits()) --threads;
  if (Status enough = fits(); !enough) return enough;
  std::mutex mutex;
  std::optional<Error> problem;
  std::int64_t problem_at = count;
  const bool whole = parallel_items(count, threads, JobContext(context.stop_token()), "reading",
                                    [&](std::int64_t i, int) {
                                      {
                                        // Nothing that comes later is told of.
                                        const std::lock_guard lock(mutex);
                                        if (i > problem_at) return;
                                      }
                                      const auto place = needed.place(i);
                                      const auto chunk = chunks.read(place);
                                      if (chunk) {
                                        place_chunk(open, place, *chunk, z, depth, out);
                                        return;
                                      }
                                      const std::lock_guard lock(mutex);
                                      if (i < problem_at) {
                                        problem = chunk.error();
                                        problem_at = i;
                                      }
                                    });
  if (problem) return *problem;
  if (!whole) return cancelled_error();
  // Of one slab, or at the end of all, so that nothing mixes old and new.
  const bool last = z + depth == open.size().z;
  return open.store.files().unchanged(last ? 0 : noted);
}

template <class T>
Result<AnyPixels> read_volume(const OpenImage& open, const SourceInfo& info,
                              const JobContext& context) {
  auto pixels = allocate_pixels<T>(open.size(), info.path);
  if (!pixels) return pixels.error();
  const ZarrChunks chunks(open.store, open.image.array);
  const Size3 size = open.size();
  const std::int64_t deep = open.slab_depth();
  for (std::int64_t z = 0; z < size.z; z += deep) {
    const std::int64_t depth = std::min(deep, size.z - z);
    T* const out = pixels->values.data() + pixels->index(z, 0, 0);
    if (Status read = read_slab(open, chunks, z, depth, out, context); !read) return read.error();
    context.report(static_cast<double>(z + depth) / static_cast<double>(size.z), "reading");
  }
  return AnyPixels(*std::move(pixels));
}

class ZarrSlices : public SliceSource {
 public:
  ZarrSlices(OpenImage open, Volume header)
      : open_(std::move(open)),
        header_(std::move(header)),
        chunks_(open_.store, open_.image.array),
        depth_(open_.slab_depth()) {
    const StoredAs stored = stored_as(open_.image.array.type);
    kind_ = stored == StoredAs::u8    ? SampleKind::u8
            : stored == StoredAs::u16 ? SampleKind::u16
                                      : SampleKind::f32;
  }
  // chunks_ refers to its neighbours.
  ZarrSlices(const ZarrSlices&) = delete;
  ZarrSlices& operator=(const ZarrSlices&) = delete;
  ~ZarrSlices() override = default;

  [[nodiscard]] Size3 size() const override { return open_.size(); }
  [[nodiscard]] SampleKind kind() const override { return kind_; }
  [[nodiscard]] const Volume& header() const override { return header_; }
  Status read(std::int64_t z, void* out, const JobContext& context) override {
    const std::size_t bytes = static_cast<std::size_t>(size().x * size().y) * sample_bytes(kind_);
    if (slab_.empty() || z < begin_ || z >= begin_ + depth_) {
      begin_ = z / depth_ * depth_;
      slab_.assign(static_cast<std::size_t>(depth_) * bytes, 0);
      const std::int64_t depth = std::min(depth_, size().z - begin_);
      const auto fill = [&](auto* to) {
        return read_slab(open_, chunks_, begin_, depth, to, context);
      };
      Status filled = kind_ == SampleKind::u8 ? fill(slab_.data())
                      : kind_ == SampleKind::u16
                          ? fill(reinterpret_cast<std::uint16_t*>(slab_.data()))
                          : fill(reinterpret_cast<float*>(slab_.data()));
      if (!filled) {
        slab_.clear();
        return filled;
      }
    }
    std::memcpy(out, slab_.data() + static_cast<std::size_t>(z - begin_) * bytes, bytes);
    return {};
  }

 private:
  OpenImage open_;
  Volume header_;
  ZarrChunks chunks_;
  std::int64_t depth_ = 1;
  SampleKind kind_ = SampleKind::f32;
  // The slices [begin_, begin_ + depth_) that were read last.
  std::int64_t begin_ = 0;
  std::vector<std::uint8_t> slab_;
};

}  // namespace

Result<SourceInfo> inspect_zarr(const std::filesystem::path& given, const std::string& asked,
                                const JobContext& context) {
  if (context.stop_requested()) return cancelled_error();
  const auto [path, dataset] = with_pyramid(given, asked);
  const auto store = ZarrStore::open(path);
  if (!store) return store.error();
  auto image = zarr_image(*store, dataset, context);
  if (!image) return image.error();
  SourceInfo info;
  info.path = path;
  info.format = image->format;
  info.size = image->size();
  info.dtype = dtype_name(image->array.type);
  info.voxel = image->voxel;
  info.channels = image->channels;
  info.hints = image->hints;
  info.times = image->times();
  for (const std::string& key : image->datasets) info.datasets.push_back(name_of(key));
  info.dataset = name_of(image->array.key);
  // What its pixels take: how much of it lies in files takes as many questions as there are chunks.
  const auto bytes =
      checked_bytes(info.size, image->array.sample_bytes(),
                    info.channels.size() * static_cast<std::uint64_t>(info.times), path);
  if (!bytes) return bytes.error();
  info.file_bytes = *bytes;
  return info;
}

std::filesystem::path zarr_description(const SourceInfo& info) {
  for (const char* name : {"zarr.json", ".zarray", "attributes.json"}) {
    const std::string key = info.dataset.empty() ? info.dataset : info.dataset.substr(1);
    std::filesystem::path file = info.path / key / name;
    std::error_code code;
    if (std::filesystem::exists(file, code)) return file;
  }
  return info.path;
}

Result<Volume> load_zarr(const SourceInfo& info, const SourceSelection& selection,
                         const JobContext& context) {
  const auto open = open_image(info, selection, context);
  if (!open) return open.error();
  Volume volume = header_of(*open, info);
  context.report(0.0, "reading");
  const StoredAs stored = stored_as(open->image.array.type);
  auto pixels = stored == StoredAs::u8    ? read_volume<std::uint8_t>(*open, info, context)
                : stored == StoredAs::u16 ? read_volume<std::uint16_t>(*open, info, context)
                                          : read_volume<float>(*open, info, context);
  if (!pixels) return pixels.error();
  volume.pixels = *std::move(pixels);
  return volume;
}

Result<std::unique_ptr<SliceSource>> open_zarr_slices(const SourceInfo& info,
                                                      const SourceSelection& selection) {
  auto open = open_image(info, selection, {});
  if (!open) return open.error();
  const auto slab =
      checked_bytes({open->slab_depth(), open->size().x, open->size().y}, 4, 1, info.path);
  if (!slab) return slab.error();
  if (Status fits = check_memory(*slab, info.path); !fits) return fits.error();
  Volume header = header_of(*open, info);
  return std::unique_ptr<SliceSource>(
      std::make_unique<ZarrSlices>(*std::move(open), std::move(header)));
}

Status read_zarr_exactly(const SourceInfo& info, const SourceSelection& selection,
                         const SliceVisitor& visit, const JobContext& context) {
  const auto open = open_image(info, selection, context);
  if (!open) return open.error();
  const ZarrChunks chunks(open->store, open->image.array);
  const Size3 size = open->size();
  const auto plane = static_cast<std::size_t>(size.x * size.y);
  const std::int64_t deep = open->slab_depth();
  const std::uint64_t bytes = static_cast<std::uint64_t>(deep) * plane * sizeof(double);
  if (Status fits = check_memory(bytes, info.path); !fits) return fits;
  std::vector<double> slab(static_cast<std::size_t>(deep) * plane);
  for (std::int64_t z = 0; z < size.z; z += deep) {
    const std::int64_t depth = std::min(deep, size.z - z);
    std::fill(slab.begin(), slab.end(), 0.0);
    if (Status read = read_slab(*open, chunks, z, depth, slab.data(), context); !read) return read;
    for (std::int64_t i = 0; i < depth; ++i) {
      const std::span<const double> slice(slab.data() + static_cast<std::size_t>(i) * plane, plane);
      if (Status seen = visit(z + i, slice); !seen) return seen;
    }
    context.report(static_cast<double>(z + depth) / static_cast<double>(size.z), "reading");
  }
  return {};
}

}  // namespace aprscope
