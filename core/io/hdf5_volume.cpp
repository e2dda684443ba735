#include "core/io/hdf5_volume.hpp"

#include <algorithm>
#include <cstring>

#include "core/io/hdf5_chunks.hpp"
#include "core/io/hdf5_dataset.hpp"
#include "core/io/read_limits.hpp"

namespace aprscope {
namespace {

// One H5Dread takes about this much, so that a cancel is heeded soon.
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

// Reads `depth` slices from z.
template <class T>
Status read_slab(const OpenDataset& open, const SourceInfo& info, const SourceSelection& selection,
                 hid_t memory_type, hsize_t z, hsize_t depth, T* out, const JobContext& context) {
  const DatasetShape& shape = open.shape;
  const hsize_t* const extent = shape.extent;
  const std::uint64_t row_bytes = depth * extent[4] * sizeof(T);
  const std::uint64_t high = std::min<std::uint64_t>(
      extent[3], round_up(std::max<std::uint64_t>(1, kSlabBytes / row_bytes), shape.chunk[3]));
  const int skip = kMostDimensions - shape.rank;
  for (hsize_t x = 0; x < extent[3]; x += high) {
    if (context.stop_requested()) return cancelled_error();
    const hsize_t rows = std::min<hsize_t>(high, extent[3] - x);
    const hsize_t start[] = {static_cast<hsize_t>(selection.time),
                             static_cast<hsize_t>(selection.channel), z, x, 0};
    const hsize_t count[] = {1, 1, depth, rows, extent[4]};
    const hsize_t memory_extent[] = {depth, extent[3], extent[4]};
    const hsize_t memory_start[] = {0, x, 0};
    const std::scoped_lock lock(hdf5_mutex());
    const Hdf5Handle file_space(H5Dget_space(open.dataset.get()));
    const Hdf5Handle memory_space(H5Screate_simple(3, memory_extent, nullptr));
    if (!chunks_are_whole(open.dataset.get(), start + skip, count + skip) || !file_space ||
        !memory_space ||
        H5Sselect_hyperslab(file_space.get(), H5S_SELECT_SET, start + skip, nullptr, count + skip,
                            nullptr) < 0 ||
        H5Sselect_hyperslab(memory_space.get(), H5S_SELECT_SET, memory_start, nullptr, count + 2,
                            nullptr) < 0 ||
        H5Dread(open.dataset.get(), memory_type, memory_space.get(), file_space.get(), H5P_DEFAULT,
                out) < 0) {
      return hdf5_error(info.path.string() + ":" + info.dataset,
                        "is damaged: its pixels cannot be read",
                        "get the file again from its source");
    }
  }
  return {};
}

template <class T>
Result<AnyPixels> read_volume(const OpenDataset& open, const SourceInfo& info,
                              const SourceSelection& selection, hid_t memory_type,
                              const JobContext& context) {
  auto pixels = allocate_pixels<T>(open.shape.size(), info.path);
  if (!pixels) return pixels.error();
  const hsize_t slices = open.shape.extent[2];
  const hsize_t deep = slab_depth(open.shape, sizeof(T));
  for (hsize_t z = 0; z < slices; z += deep) {
    const hsize_t depth = std::min<hsize_t>(deep, slices - z);
    T* const out = pixels->values.data() + pixels->index(static_cast<std::int64_t>(z), 0, 0);
    if (Status read = read_slab(open, info, selection, memory_type, z, depth, out, context);
        !read) {
      return read.error();
    }
    context.report(static_cast<double>(z + depth) / static_cast<double>(slices), "reading");
  }
  return AnyPixels(*std::move(pixels));
}

// Opens the volume and checks that the selection is part of it.
Result<OpenDataset> open_volume(const SourceInfo& info, const SourceSelection& selection) {
  const std::scoped_lock lock(hdf5_mutex());
  auto file = open_hdf5(info.path);
  if (!file) return file.error();
  auto open = open_dataset(file->get(), info.path, info.dataset);
  if (!open) return open.error();
  open->file = *std::move(file);
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
  if (!chunk_shape_is_true(open->dataset.get())) {
    return hdf5_error(info.path.string() + ":" + info.dataset,
                      "is damaged: its chunks are not of the size that its header claims",
                      "get the file again from its source");
  }
  return open;
}

Volume header_of(const OpenDataset& open, const SourceInfo& info,
                 const SourceSelection& selection) {
  Volume volume;
  const std::scoped_lock lock(hdf5_mutex());
  volume.voxel = dataset_voxel_size(open.file.get(), open.dataset.get(), info.dataset);
  volume.name = info.path.stem().string();
  volume.channel = std::to_string(selection.channel);
  volume.channel_index = selection.channel;
  volume.time = selection.time;
  return volume;
}

class Hdf5Slices : public SliceSource {
 public:
  Hdf5Slices(OpenDataset open, const SourceInfo& info, const SourceSelection& selection)
      : open_(std::move(open)),
        info_(info),
        selection_(selection),
        header_(header_of(open_, info, selection)) {
    kind_ = open_.shape.dtype == "u8"    ? SampleKind::u8
            : open_.shape.dtype == "u16" ? SampleKind::u16
                                         : SampleKind::f32;
    depth_ = slab_depth(open_.shape, sample_bytes(kind_));
  }
  ~Hdf5Slices() override {
    const std::scoped_lock lock(hdf5_mutex());
    open_ = {};
  }
  Hdf5Slices(const Hdf5Slices&) = delete;
  Hdf5Slices& operator=(const Hdf5Slices&) = delete;

  [[nodiscard]] Size3 size() const override { return open_.shape.size(); }
  [[nodiscard]] SampleKind kind() const override { return kind_; }
  [[nodiscard]] const Volume& header() const override { return header_; }
  Status read(std::int64_t z, void* out, const JobContext& context) override {
    const auto at = static_cast<std::uint64_t>(z);
    const std::size_t bytes = static_cast<std::size_t>(size().x * size().y) * sample_bytes(kind_);
    if (slab_.empty() || at < begin_ || at >= begin_ + depth_) {
      begin_ = at / depth_ * depth_;
      slab_.resize(static_cast<std::size_t>(depth_) * bytes);
      const hsize_t depth = std::min<hsize_t>(depth_, open_.shape.extent[2] - begin_);
      const auto fill = [&](auto* to, hid_t type) {
        return read_slab(open_, info_, selection_, type, begin_, depth, to, context);
      };
      Status filled = kind_ == SampleKind::u8
                          ? fill(reinterpret_cast<std::uint8_t*>(slab_.data()), H5T_NATIVE_UINT8)
                      : kind_ == SampleKind::u16
                          ? fill(reinterpret_cast<std::uint16_t*>(slab_.data()), H5T_NATIVE_UINT16)
                          : fill(reinterpret_cast<float*>(slab_.data()), H5T_NATIVE_FLOAT);
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
  SourceInfo info_;
  SourceSelection selection_;
  Volume header_;
  SampleKind kind_ = SampleKind::f32;
  // The slices [begin_, begin_ + depth_) that were read last.
  std::uint64_t depth_ = 1;
  std::uint64_t begin_ = 0;
  std::vector<char> slab_;
};

}  // namespace

Result<bool> holds_particles(const std::filesystem::path& path) {
  const std::scoped_lock lock(hdf5_mutex());
  auto file = open_hdf5(path);
  if (!file) return file.error();
  const bool holds = H5Lexists(file->get(), "ParticleRepr", H5P_DEFAULT) > 0;
  H5Eclear2(H5E_DEFAULT);
  return holds;
}

Result<SourceInfo> inspect_hdf5(const std::filesystem::path& path, const std::string& dataset) {
  const std::scoped_lock lock(hdf5_mutex());
  auto file = open_hdf5(path);
  if (!file) return file.error();
  auto found = find_datasets(file->get(), path);
  if (!found) return found.error();
  if (found->names.empty()) {
    return Error{"holds no image (a dataset of 2 to 5 dimensions of plain numbers)", path.string(),
                 "choose another file"};
  }
  SourceInfo info;
  info.path = path;
  info.format = "HDF5";
  info.datasets = found->names;
  auto open = dataset.empty() ? open_largest_dataset(file->get(), path, *found)
                              : open_dataset(file->get(), path,
                                             dataset.front() == '/' ? dataset : "/" + dataset);
  if (!open) return open.error();
  info.dataset = open->name;
  info.size = open->shape.size();
  info.dtype = open->shape.dtype;
  info.voxel = dataset_voxel_size(file->get(), open->dataset.get(), info.dataset);
  info.times = static_cast<int>(open->shape.extent[0]);
  info.channels.clear();
  for (hsize_t c = 0; c < open->shape.extent[1]; ++c) info.channels.push_back(std::to_string(c));
  info.file_bytes = open->file_bytes;
  return info;
}

Result<Volume> load_hdf5(const SourceInfo& info, const SourceSelection& selection,
                         const JobContext& context) {
  auto open = open_volume(info, selection);
  if (!open) return open.error();
  context.report(0.0, "reading");
  const std::string& dtype = open->shape.dtype;
  auto pixels = dtype == "u8"
                    ? read_volume<std::uint8_t>(*open, info, selection, H5T_NATIVE_UINT8, context)
                : dtype == "u16"
                    ? read_volume<std::uint16_t>(*open, info, selection, H5T_NATIVE_UINT16, context)
                    : read_volume<float>(*open, info, selection, H5T_NATIVE_FLOAT, context);
  if (!pixels) return pixels.error();
  Volume volume = header_of(*open, info, selection);
  volume.pixels = std::move(*pixels);
  return volume;
}

Result<std::unique_ptr<SliceSource>> open_hdf5_slices(const SourceInfo& info,
                                                      const SourceSelection& selection) {
  auto open = open_volume(info, selection);
  if (!open) return open.error();
  return std::unique_ptr<SliceSource>(
      std::make_unique<Hdf5Slices>(*std::move(open), info, selection));
}

}  // namespace aprscope
