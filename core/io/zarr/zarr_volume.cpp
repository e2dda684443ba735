#include "core/io/zarr/zarr_volume.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/base/memory_error.hpp"
#include "core/io/common/read_limits.hpp"
#include "core/io/zarr/zarr_chunks.hpp"
#include "core/io/zarr/zarr_image.hpp"
#include "core/io/zarr/zarr_slab.hpp"

namespace aprscope {
namespace {

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

Result<OpenZarrImage> open_image(const SourceInfo& info, const SourceSelection& selection,
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
  return OpenZarrImage{*std::move(store), *std::move(image), selection};
}

Volume header_of(const OpenZarrImage& open, const SourceInfo& info) {
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

template <class T>
Result<AnyPixels> read_volume(const OpenZarrImage& open, const SourceInfo& info,
                              const JobContext& context) {
  auto pixels = allocate_pixels<T>(open.size(), info.path);
  if (!pixels) return pixels.error();
  const ZarrChunks chunks(open.store, open.image.array);
  const Size3 size = open.size();
  const std::int64_t deep = open.slab_depth();
  for (std::int64_t z = 0; z < size.z; z += deep) {
    const std::int64_t depth = std::min(deep, size.z - z);
    T* const out = pixels->values.data() + pixels->index(z, 0, 0);
    if (Status read = read_zarr_slab(open, chunks, z, depth, out, context); !read) {
      return read.error();
    }
    context.report(static_cast<double>(z + depth) / static_cast<double>(size.z), "reading");
  }
  return AnyPixels(*std::move(pixels));
}

class ZarrSlices : public SliceSource {
 public:
  ZarrSlices(OpenZarrImage open, Volume header)
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
  [[nodiscard]] bool costly() const override { return !open_.image.array.codecs.empty(); }
  Status read(std::int64_t z, void* out, const JobContext& context) override {
    const std::size_t bytes = static_cast<std::size_t>(size().x * size().y) * sample_bytes(kind_);
    if (slab_.empty() || z < begin_ || z >= begin_ + depth_) {
      begin_ = z / depth_ * depth_;
      slab_.assign(static_cast<std::size_t>(depth_) * bytes, 0);
      const std::int64_t depth = std::min(depth_, size().z - begin_);
      const auto fill = [&](auto* to) {
        return read_zarr_slab(open_, chunks_, begin_, depth, to, context);
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
  OpenZarrImage open_;
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
  info.seconds = image->seconds;
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
    if (Status read = read_zarr_slab(*open, chunks, z, depth, slab.data(), context); !read) {
      return read;
    }
    for (std::int64_t i = 0; i < depth; ++i) {
      const std::span<const double> slice(slab.data() + static_cast<std::size_t>(i) * plane, plane);
      if (Status seen = visit(z + i, slice); !seen) return seen;
    }
    context.report(static_cast<double>(z + depth) / static_cast<double>(size.z), "reading");
  }
  return {};
}

}  // namespace aprscope
