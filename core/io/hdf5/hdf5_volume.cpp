#include "core/io/hdf5/hdf5_volume.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "core/io/common/read_limits.hpp"
#include "core/io/hdf5/hdf5_dataset.hpp"

namespace aprscope {
namespace {

// Bytes read at once, so that a request to stop is heeded soon.
constexpr std::uint64_t kSlabBytes = 8 << 20;

std::uint64_t round_up(std::uint64_t value, std::uint64_t step) {
  return (value + step - 1) / step * step;
}

// Slices that are read together: whole chunks, so that no chunk is decoded twice.
std::uint64_t slab_depth(const DatasetShape& shape, std::uint64_t sample_bytes) {
  const std::uint64_t plane_bytes = shape.extent[3] * shape.extent[4] * sample_bytes;
  return std::min<std::uint64_t>(
      shape.extent[2],
      round_up(std::max<std::uint64_t>(1, kSlabBytes / plane_bytes), shape.chunk[2]));
}

// How pixels of type T are called.
template <class T>
constexpr NumberType kNumber = std::is_same_v<T, std::uint8_t>    ? NumberType::u8
                               : std::is_same_v<T, std::uint16_t> ? NumberType::u16
                               : std::is_same_v<T, double>        ? NumberType::f64
                                                                  : NumberType::f32;

// Reads `depth` slices from z.
template <class T>
Status read_slab(const OpenDataset& open, const SourceSelection& selection, std::uint64_t z,
                 std::uint64_t depth, T* out, const JobContext& context) {
  const DatasetShape& shape = open.shape;
  const std::uint64_t* const extent = shape.extent;
  const std::uint64_t row_bytes = extent[4] * sizeof(T);
  // Several slices are read with all rows: parts of them would not be contiguous in memory.
  const std::uint64_t high =
      depth > 1 ? extent[3]
                : std::min<std::uint64_t>(
                      extent[3],
                      round_up(std::max<std::uint64_t>(1, kSlabBytes / row_bytes), shape.chunk[3]));
  const int skip = kMostDimensions - shape.rank;
  for (std::uint64_t x = 0; x < extent[3]; x += high) {
    if (context.stop_requested()) return cancelled_error();
    const std::uint64_t rows = std::min<std::uint64_t>(high, extent[3] - x);
    const std::uint64_t start[] = {static_cast<std::uint64_t>(selection.time),
                                   static_cast<std::uint64_t>(selection.channel), z, x, 0};
    const std::uint64_t count[] = {1, 1, depth, rows, extent[4]};
    const Hdf5Box box{{start + skip, start + kMostDimensions},
                      {count + skip, count + kMostDimensions}};
    if (Status got =
            open.array.read(box, kNumber<T>, out + x * extent[4], JobContext(context.stop_token()));
        !got) {
      return got;
    }
  }
  return {};
}

template <class T>
Result<AnyPixels> read_volume(const OpenDataset& open, const SourceInfo& info,
                              const SourceSelection& selection, const JobContext& context) {
  auto pixels = allocate_pixels<T>(open.shape.size(), info.path);
  if (!pixels) return pixels.error();
  const std::uint64_t slices = open.shape.extent[2];
  const std::uint64_t deep = slab_depth(open.shape, sizeof(T));
  for (std::uint64_t z = 0; z < slices; z += deep) {
    const std::uint64_t depth = std::min<std::uint64_t>(deep, slices - z);
    T* const out = pixels->values.data() + pixels->index(static_cast<std::int64_t>(z), 0, 0);
    if (Status read = read_slab(open, selection, z, depth, out, context); !read) {
      return read.error();
    }
    context.report(static_cast<double>(z + depth) / static_cast<double>(slices), "reading");
  }
  return AnyPixels(*std::move(pixels));
}

// Restricts reading to the first pixels of a volume.
Status crop(const SourceInfo& info, const Size3& first, DatasetShape& shape) {
  const Size3 stored = shape.size();
  if (first.z < 1 || first.x < 1 || first.y < 1 || first.z > stored.z || first.x > stored.x ||
      first.y > stored.y) {
    return dataset_error(
        info.path, info.dataset,
        "holds " + size_text(stored) + " pixels (z, x, y), not " + size_text(first),
        "open the file again");
  }
  shape.extent[2] = static_cast<std::uint64_t>(first.z);
  shape.extent[3] = static_cast<std::uint64_t>(first.x);
  shape.extent[4] = static_cast<std::uint64_t>(first.y);
  return {};
}

// Opens the volume and checks that the selection is part of it.
Result<OpenDataset> open_volume(const SourceInfo& info, const SourceSelection& selection,
                                const std::stop_token& stop, const std::optional<Size3>& first) {
  const auto reader = Hdf5Reader::open(info.path, stop);
  if (!reader) return reader.error();
  auto open = open_dataset(*reader, info.dataset);
  if (!open) return open.error();
  const auto times = static_cast<std::int64_t>(open->shape.extent[0]);
  const auto channels = static_cast<std::int64_t>(open->shape.extent[1]);
  if (selection.channel < 0 || selection.channel >= channels || selection.time < 0 ||
      selection.time >= times) {
    return dataset_error(info.path, info.dataset,
                         "has no channel " + std::to_string(selection.channel) + " at time point " +
                             std::to_string(selection.time),
                         "choose channels 0 to " + std::to_string(channels - 1) +
                             ", time points 0 to " + std::to_string(times - 1));
  }
  if (first) {
    if (Status cropped = crop(info, *first, open->shape); !cropped) return cropped.error();
  }
  return open;
}

// The volume without its pixels. Errors: attributes that are there and cannot be read.
Result<Volume> header_of(const OpenDataset& open, const SourceInfo& info,
                         const SourceSelection& selection) {
  Volume volume;
  volume.voxel = dataset_voxel_size(open.array.object());
  volume.name = info.path.stem().string();
  volume.channel = std::to_string(selection.channel);
  volume.channel_index = selection.channel;
  volume.time = selection.time;
  if (Status readable = open.array.object().reader->status(); !readable) return readable.error();
  return volume;
}

class Hdf5Slices : public SliceSource {
 public:
  Hdf5Slices(OpenDataset open, const SourceSelection& selection, Volume header)
      : open_(std::move(open)), selection_(selection), header_(std::move(header)) {
    kind_ = open_.shape.dtype == "u8"    ? SampleKind::u8
            : open_.shape.dtype == "u16" ? SampleKind::u16
                                         : SampleKind::f32;
    depth_ = slab_depth(open_.shape, sample_bytes(kind_));
  }

  [[nodiscard]] Size3 size() const override { return open_.shape.size(); }
  [[nodiscard]] SampleKind kind() const override { return kind_; }
  [[nodiscard]] const Volume& header() const override { return header_; }
  [[nodiscard]] bool costly() const override { return !open_.array.facts().filters.empty(); }
  Status read(std::int64_t z, void* out, const JobContext& context) override {
    const auto at = static_cast<std::uint64_t>(z);
    const std::size_t bytes = static_cast<std::size_t>(size().x * size().y) * sample_bytes(kind_);
    if (slab_.empty() || at < begin_ || at >= begin_ + depth_) {
      begin_ = at / depth_ * depth_;
      slab_.resize(static_cast<std::size_t>(depth_) * bytes);
      const std::uint64_t depth = std::min<std::uint64_t>(depth_, open_.shape.extent[2] - begin_);
      const auto fill = [&](auto* to) {
        return read_slab(open_, selection_, begin_, depth, to, context);
      };
      Status filled = kind_ == SampleKind::u8 ? fill(reinterpret_cast<std::uint8_t*>(slab_.data()))
                      : kind_ == SampleKind::u16
                          ? fill(reinterpret_cast<std::uint16_t*>(slab_.data()))
                          : fill(reinterpret_cast<float*>(slab_.data()));
      if (!filled) {
        slab_.clear();
        return filled;
      }
    }
    std::memcpy(out, slab_.data() + (at - begin_) * bytes, bytes);
    return {};
  }

 private:
  OpenDataset open_;
  SourceSelection selection_;
  Volume header_;
  SampleKind kind_ = SampleKind::f32;
  // The slices [begin_, begin_ + depth_) that were read last.
  std::uint64_t depth_ = 1;
  std::uint64_t begin_ = 0;
  std::vector<char> slab_;
};

// Whether names are those of BigDataViewer's pixels ("/t00000/s00/0/cells").
bool is_bdv_layout(const std::vector<std::string>& names) {
  return std::any_of(names.begin(), names.end(), [](const std::string& name) {
    return name.starts_with("/t") && name.ends_with("/cells") &&
           name.find("/s", 2) != std::string::npos &&
           std::count(name.begin(), name.end(), '/') == 4;
  });
}

}  // namespace

Result<SourceInfo> inspect_hdf5(const std::shared_ptr<Hdf5Reader>& reader,
                                const std::string& dataset, const JobContext& context) {
  const std::filesystem::path& path = reader->path();
  auto found = find_datasets(reader, context.stop_token());
  if (!found) return found.error();
  if (found->names.empty() && !found->unreadable.empty()) {
    const std::string& first = found->unreadable.front();
    const auto facts = reader->dataset(first);
    if (!facts) return facts.error();
    return dataset_error(path, first, "cannot be opened", "get the file again from its source");
  }
  if (found->names.empty()) {
    return Error{"holds no image (a dataset of 2 to 5 dimensions of plain numbers)", path.string(),
                 "choose another file"};
  }
  SourceInfo info;
  info.path = path;
  info.format = "HDF5";
  if (dataset.empty() && is_bdv_layout(found->names)) {
    info.format += " (of BigDataViewer: open its XML file to get all channels and the voxel size)";
  }
  info.datasets = found->names;
  auto open = dataset.empty()
                  ? open_largest_dataset(reader, *found)
                  : open_dataset(reader, dataset.front() == '/' ? dataset : "/" + dataset);
  if (!open) return open.error();
  info.dataset = open->name();
  info.size = open->shape.size();
  info.dtype = open->shape.dtype;
  info.voxel = dataset_voxel_size(open->array.object());
  if (Status readable = reader->status(); !readable) return readable.error();
  info.times = static_cast<int>(open->shape.extent[0]);
  info.channels.clear();
  for (std::uint64_t c = 0; c < open->shape.extent[1]; ++c) {
    info.channels.push_back(std::to_string(c));
  }
  info.file_bytes = open->file_bytes();
  return info;
}

Result<Volume> load_hdf5(const SourceInfo& info, const SourceSelection& selection,
                         const JobContext& context, const std::optional<Size3>& first) {
  const auto open = open_volume(info, selection, context.stop_token(), first);
  if (!open) return open.error();
  auto volume = header_of(*open, info, selection);
  if (!volume) return volume;
  context.report(0.0, "reading");
  const std::string& dtype = open->shape.dtype;
  auto pixels = dtype == "u8"    ? read_volume<std::uint8_t>(*open, info, selection, context)
                : dtype == "u16" ? read_volume<std::uint16_t>(*open, info, selection, context)
                                 : read_volume<float>(*open, info, selection, context);
  if (!pixels) return pixels.error();
  volume->pixels = std::move(*pixels);
  return volume;
}

Status read_hdf5_exactly(const SourceInfo& info, const SourceSelection& selection,
                         const SliceVisitor& visit, const JobContext& context,
                         const std::optional<Size3>& first) {
  const auto open = open_volume(info, selection, context.stop_token(), first);
  if (!open) return open.error();
  const DatasetShape& shape = open->shape;
  const std::uint64_t plane = shape.extent[3] * shape.extent[4];
  const std::uint64_t deep = slab_depth(shape, sizeof(double));
  if (Status fits = check_memory(deep * plane * sizeof(double), info.path); !fits) return fits;
  std::vector<double> slab(deep * plane);
  for (std::uint64_t z = 0; z < shape.extent[2]; z += deep) {
    const std::uint64_t depth = std::min<std::uint64_t>(deep, shape.extent[2] - z);
    if (Status read = read_slab(*open, selection, z, depth, slab.data(), context); !read) {
      return read;
    }
    for (std::uint64_t i = 0; i < depth; ++i) {
      const auto slice = static_cast<std::int64_t>(z + i);
      if (Status seen = visit(slice, {slab.data() + i * plane, plane}); !seen) return seen;
    }
    context.report(static_cast<double>(z + depth) / static_cast<double>(shape.extent[2]),
                   "reading");
  }
  return {};
}

Result<std::unique_ptr<SliceSource>> open_hdf5_slices(const SourceInfo& info,
                                                      const SourceSelection& selection,
                                                      const std::optional<Size3>& first) {
  auto open = open_volume(info, selection, {}, first);
  if (!open) return open.error();
  auto header = header_of(*open, info, selection);
  if (!header) return header.error();
  return std::unique_ptr<SliceSource>(
      std::make_unique<Hdf5Slices>(*std::move(open), selection, *std::move(header)));
}

}  // namespace aprscope
