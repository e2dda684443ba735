#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/image/volume.hpp"
#include "core/io/hdf5_handle.hpp"

// Private to core/io: the datasets of an HDF5 file that are images. Call its functions
// with hdf5_mutex() held.

namespace aprscope {

inline constexpr int kMostDimensions = 5;

/// A dataset's shape; the leading dimensions that it lacks are 1.
struct DatasetShape {
  /// 0 for a dataset that is no image.
  int rank = 0;
  /// Time, channel, z, x, y.
  hsize_t extent[kMostDimensions] = {1, 1, 1, 1, 1};
  hsize_t chunk[kMostDimensions] = {1, 1, 1, 1, 1};
  H5D_layout_t layout = H5D_CONTIGUOUS;
  /// "u16", "f32", …
  std::string dtype;
  std::uint64_t sample_bytes = 0;

  [[nodiscard]] Size3 size() const {
    return {static_cast<std::int64_t>(extent[2]), static_cast<std::int64_t>(extent[3]),
            static_cast<std::int64_t>(extent[4])};
  }
  /// Pixels of all channels and time points; a file may claim more than fit into an integer.
  [[nodiscard]] double samples() const {
    double n = 1;
    for (const hsize_t e : extent) n *= static_cast<double>(e);
    return n;
  }
};

/// Names of the images in a file, each with its samples().
struct FoundDatasets {
  std::vector<std::string> names;
  std::vector<double> samples;
  bool out_of_memory = false;  // while they were listed
};

/// The images at any depth of a file. Errors: its groups cannot be read, no memory.
Result<FoundDatasets> find_datasets(hid_t file, const std::filesystem::path& path);

/// An image whose size is one that the file can hold.
struct OpenDataset {
  /// Empty while whoever opened the dataset keeps the file.
  Hdf5Handle file;
  std::string name;
  Hdf5Handle dataset;
  DatasetShape shape;
  std::uint64_t file_bytes = 0;
};

/// Errors name the file and the dataset: missing, no image, a size that the file cannot hold.
Result<OpenDataset> open_dataset(hid_t file, const std::filesystem::path& path,
                                 const std::string& name);

/// The dataset with the most values among those that can be read; the error of the largest when
/// none can. `found` has at least one.
Result<OpenDataset> open_largest_dataset(hid_t file, const std::filesystem::path& path,
                                         const FoundDatasets& found);

/// The attribute element_size_um of a dataset or of the group that it is in, in µm; 1 px without.
VoxelSize dataset_voxel_size(hid_t file, hid_t dataset, const std::string& name);

/// An error about a dataset of a file.
Error dataset_error(const std::filesystem::path& path, const std::string& dataset,
                    const std::string& what, const std::string& advice);

}  // namespace aprscope
