#include "core/io/hdf5_volume.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>
#include <numeric>
#include <system_error>

#include "core/base/system.hpp"
#include "core/io/hdf5_chunks.hpp"
#include "core/io/hdf5_handle.hpp"
#include "core/io/read_limits.hpp"
#include "core/io/units.hpp"

namespace aprscope {
namespace {

constexpr int kMostDimensions = 5;
// One H5Dread takes about this much, so that a cancel is heeded soon.
constexpr std::uint64_t kSlabBytes = 8 << 20;

// A dataset's shape; the leading dimensions that it lacks are 1.
struct Shape {
  int rank = 0;
  hsize_t extent[kMostDimensions] = {1, 1, 1, 1, 1};  // time, channel, z, x, y
  hsize_t chunk[kMostDimensions] = {1, 1, 1, 1, 1};
  H5D_layout_t layout = H5D_CONTIGUOUS;
  std::string dtype;
  std::uint64_t sample_bytes = 0;

  [[nodiscard]] Size3 size() const {
    return {static_cast<std::int64_t>(extent[2]), static_cast<std::int64_t>(extent[3]),
            static_cast<std::int64_t>(extent[4])};
  }
  [[nodiscard]] double samples() const {
    double n = 1;
    for (const hsize_t e : extent) n *= static_cast<double>(e);
    return n;
  }
};

Error dataset_error(const std::filesystem::path& path, const std::string& dataset,
                    const std::string& what, const std::string& advice) {
  return {what, path.string() + ":" + dataset, advice};
}

// "u16", "f32", …; empty for types that are no numbers or of no usual size.
std::string numeric_type(hid_t type) {
  const std::size_t bytes = H5Tget_size(type);
  if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) return {};
  const std::string bits = std::to_string(8 * bytes);
  switch (H5Tget_class(type)) {
    case H5T_INTEGER:
      return (H5Tget_sign(type) == H5T_SGN_NONE ? "u" : "i") + bits;
    case H5T_FLOAT:
      return bytes >= 2 ? "f" + bits : std::string();
    default:
      return {};
  }
}

// The shape of an image; rank 0 for anything else. Call with the mutex held.
Shape read_shape(hid_t dataset) {
  Shape shape;
  const Hdf5Handle space(H5Dget_space(dataset));
  const Hdf5Handle type(H5Dget_type(dataset));
  if (!space || !type || H5Sget_simple_extent_type(space.get()) != H5S_SIMPLE) return shape;
  const int rank = H5Sget_simple_extent_ndims(space.get());
  if (rank < 2 || rank > kMostDimensions) return shape;
  shape.dtype = numeric_type(type.get());
  if (shape.dtype.empty()) return shape;
  shape.sample_bytes = H5Tget_size(type.get());
  hsize_t* const first = shape.extent + (kMostDimensions - rank);
  if (H5Sget_simple_extent_dims(space.get(), first, nullptr) != rank) return shape;
  const Hdf5Handle properties(H5Dget_create_plist(dataset));
  if (!properties) return shape;
  shape.layout = H5Pget_layout(properties.get());
  hsize_t* const first_chunk = shape.chunk + (kMostDimensions - rank);
  if (shape.layout == H5D_CHUNKED && H5Pget_chunk(properties.get(), rank, first_chunk) != rank) {
    return shape;
  }
  shape.rank = rank;
  return shape;
}

struct Found {
  std::vector<std::string> names;
  std::vector<double> samples;
  bool failed = false;
};

herr_t visit_object(hid_t root, const char* name, const H5O_info_t* info, void* data) {
  auto& found = *static_cast<Found*>(data);
  if (info->type != H5O_TYPE_DATASET) return 0;
  try {
    const Hdf5Handle dataset(H5Dopen2(root, name, H5P_DEFAULT));
    const Shape shape = dataset ? read_shape(dataset.get()) : Shape{};
    if (shape.rank == 0) return 0;
    found.names.push_back(std::string("/") + name);
    found.samples.push_back(shape.samples());
    return 0;
  } catch (const std::bad_alloc&) {  // must not pass through the C library
    found.failed = true;
    return -1;
  }
}

Result<Found> find_datasets(hid_t file, const std::filesystem::path& path) {
  Found found;
  if (H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_NATIVE, visit_object, &found, H5O_INFO_BASIC) < 0) {
    return hdf5_error(path, "is damaged: its datasets cannot be listed",
                      "get the file again from its source");
  }
  H5Eclear2(H5E_DEFAULT);
  return found;
}

// Sizes against what the file holds for them.
Status check_shape(hid_t dataset, const Shape& shape, const std::filesystem::path& path,
                   const std::string& name, std::uint64_t file_bytes) {
  const auto bytes =
      checked_bytes(shape.size(), shape.sample_bytes, shape.extent[0] * shape.extent[1], path);
  if (!bytes || shape.extent[0] > INT32_MAX || shape.extent[1] > (1 << 20)) {
    return dataset_error(path, name,
                         "has no pixels or an impossible size (" + size_text(shape.size()) + ")",
                         "choose another dataset");
  }
  const std::uint64_t stored = H5Dget_storage_size(dataset);
  // Filters rarely reach 1000; a wide margin for images that are mostly constant or never written.
  constexpr double largest_ratio = 1e5;
  const double limit = shape.layout == H5D_CHUNKED ? largest_ratio : 1.0;
  // A virtual dataset's pixels are in other files.
  const bool too_large = shape.layout != H5D_VIRTUAL &&
                         static_cast<double>(*bytes) > static_cast<double>(stored) * limit;
  if (stored > file_bytes || too_large) {
    return dataset_error(path, name,
                         "claims " + size_text(shape.size()) + " pixels (" + format_bytes(*bytes) +
                             " in all), but the file holds only " +
                             format_bytes(std::min(stored, file_bytes)) + " of them",
                         "the file is damaged or was never written completely");
  }
  return {};
}

// element_size_um: z, x, y (of a 2-D dataset also just x, y).
VoxelSize voxel_size(hid_t object) {
  VoxelSize voxel;
  if (H5Aexists(object, "element_size_um") <= 0) return voxel;
  const Hdf5Handle attribute(H5Aopen(object, "element_size_um", H5P_DEFAULT));
  const Hdf5Handle space(attribute ? H5Aget_space(attribute.get()) : H5I_INVALID_HID);
  const Hdf5Handle type(attribute ? H5Aget_type(attribute.get()) : H5I_INVALID_HID);
  if (!space || !type || numeric_type(type.get()).empty()) return voxel;
  const hssize_t count = H5Sget_simple_extent_npoints(space.get());
  double values[3] = {1.0, 1.0, 1.0};
  if (count != 2 && count != 3) return voxel;
  if (H5Aread(attribute.get(), H5T_NATIVE_DOUBLE, values + (3 - count)) < 0) return voxel;
  if (count == 2) values[0] = values[1];
  // f32 attributes: 0.15F is meant as 0.15.
  if (H5Tget_size(type.get()) == 4) {
    for (double& v : values) v = shortest_decimal(v);
  }
  voxel = {values[0], values[1], values[2], "µm"};
  return sane_voxel(voxel);
}

VoxelSize voxel_size(hid_t file, hid_t dataset, const std::string& name) {
  if (H5Aexists(dataset, "element_size_um") > 0) return voxel_size(dataset);
  const std::string group = name.substr(0, name.rfind('/'));
  const Hdf5Handle parent(H5Oopen(file, group.empty() ? "/" : group.c_str(), H5P_DEFAULT));
  return parent ? voxel_size(parent.get()) : VoxelSize{};
}

struct OpenDataset {
  Hdf5Handle file;  // empty while whoever opened the dataset keeps the file
  std::string name;
  Hdf5Handle dataset;
  Shape shape;
  std::uint64_t file_bytes = 0;
};

// Call with the mutex held.
Result<OpenDataset> open_dataset(hid_t file, const std::filesystem::path& path,
                                 const std::string& name) {
  OpenDataset open;
  open.name = name;
  std::error_code code;
  open.file_bytes = std::filesystem::file_size(path, code);
  if (code) {
    return Error{"cannot be read (" + code.message() + ")", path.string(), "check the name"};
  }
  open.dataset = Hdf5Handle(H5Dopen2(file, name.c_str(), H5P_DEFAULT));
  if (!open.dataset) {
    H5Eclear2(H5E_DEFAULT);
    return dataset_error(path, name, "is not a dataset of this file",
                         "list the datasets with info, and choose one of them");
  }
  open.shape = read_shape(open.dataset.get());
  if (open.shape.rank == 0) {
    return dataset_error(path, name, "is not an image (2 to 5 dimensions of plain numbers)",
                         "list the datasets with info, and choose one of them");
  }
  if (auto checked = check_shape(open.dataset.get(), open.shape, path, name, open.file_bytes);
      !checked) {
    return checked.error();
  }
  return open;
}

// The dataset with the most values among those that can be read; the error of the largest when none
// can. Call with the mutex held.
Result<OpenDataset> open_largest(hid_t file, const std::filesystem::path& path,
                                 const Found& found) {
  std::vector<std::size_t> order(found.names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return found.samples[a] > found.samples[b];
  });
  auto largest = open_dataset(file, path, found.names[order.front()]);
  for (std::size_t i = 1; !largest && i < order.size(); ++i) {
    auto next = open_dataset(file, path, found.names[order[i]]);
    if (next) return next;
  }
  return largest;
}

std::uint64_t round_up(std::uint64_t value, std::uint64_t step) {
  return (value + step - 1) / step * step;
}

// Slices that are read together: whole chunks, so that no chunk is decoded twice.
std::uint64_t slab_depth(const Shape& shape, std::uint64_t sample_bytes) {
  const std::uint64_t plane_bytes = shape.extent[3] * shape.extent[4] * sample_bytes;
  return std::min<std::uint64_t>(
      shape.extent[2],
      round_up(std::max<std::uint64_t>(1, kSlabBytes / plane_bytes), shape.chunk[2]));
}

// Reads `depth` slices from z.
template <class T>
Status read_slab(const OpenDataset& open, const SourceInfo& info, const SourceSelection& selection,
                 hid_t memory_type, hsize_t z, hsize_t depth, T* out, const JobContext& context) {
  const Shape& shape = open.shape;
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
  volume.voxel = voxel_size(open.file.get(), open.dataset.get(), info.dataset);
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
  auto open = dataset.empty() ? open_largest(file->get(), path, *found)
                              : open_dataset(file->get(), path,
                                             dataset.front() == '/' ? dataset : "/" + dataset);
  if (!open) return open.error();
  info.dataset = open->name;
  info.size = open->shape.size();
  info.dtype = open->shape.dtype;
  info.voxel = voxel_size(file->get(), open->dataset.get(), info.dataset);
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
