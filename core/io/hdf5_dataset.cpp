#include "core/io/hdf5_dataset.hpp"

#include <algorithm>
#include <new>
#include <numeric>
#include <system_error>

#include "core/base/system.hpp"
#include "core/io/read_limits.hpp"
#include "core/io/units.hpp"

namespace aprscope {
namespace {

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

// The shape of an image; rank 0 for anything else.
DatasetShape read_shape(hid_t dataset) {
  DatasetShape shape;
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

herr_t visit_object(hid_t root, const char* name, const H5O_info_t* info, void* data) {
  auto& found = *static_cast<FoundDatasets*>(data);
  if (info->type != H5O_TYPE_DATASET) return 0;
  try {
    const Hdf5Handle dataset(H5Dopen2(root, name, H5P_DEFAULT));
    const DatasetShape shape = dataset ? read_shape(dataset.get()) : DatasetShape{};
    if (shape.rank == 0) return 0;
    found.names.push_back(std::string("/") + name);
    found.samples.push_back(shape.samples());
    return 0;
  } catch (const std::bad_alloc&) {  // must not pass through the C library
    found.out_of_memory = true;
    return -1;
  }
}

// Sizes against what the file holds for them.
Status check_shape(hid_t dataset, const DatasetShape& shape, const std::filesystem::path& path,
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

}  // namespace

Error dataset_error(const std::filesystem::path& path, const std::string& dataset,
                    const std::string& what, const std::string& advice) {
  return {what, path.string() + ":" + dataset, advice};
}

Result<FoundDatasets> find_datasets(hid_t file, const std::filesystem::path& path) {
  FoundDatasets found;
  if (H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_NATIVE, visit_object, &found, H5O_INFO_BASIC) < 0) {
    if (found.out_of_memory) {
      H5Eclear2(H5E_DEFAULT);
      return Error{"has more datasets than there is memory to list", path.string(),
                   "close other data"};
    }
    return hdf5_error(path, "is damaged: its datasets cannot be listed",
                      "get the file again from its source");
  }
  H5Eclear2(H5E_DEFAULT);
  return found;
}

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

Result<OpenDataset> open_largest_dataset(hid_t file, const std::filesystem::path& path,
                                         const FoundDatasets& found) {
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

VoxelSize dataset_voxel_size(hid_t file, hid_t dataset, const std::string& name) {
  if (H5Aexists(dataset, "element_size_um") > 0) return voxel_size(dataset);
  const std::string group = name.substr(0, name.rfind('/'));
  const Hdf5Handle parent(H5Oopen(file, group.empty() ? "/" : group.c_str(), H5P_DEFAULT));
  return parent ? voxel_size(parent.get()) : VoxelSize{};
}

}  // namespace aprscope
