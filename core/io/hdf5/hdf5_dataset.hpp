#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/image/volume.hpp"
#include "core/io/hdf5/hdf5_array.hpp"

// Private to core/io: the datasets of an HDF5 file that are images.

namespace aprscope {

inline constexpr int kMostDimensions = 5;

/// A dataset's shape; the leading dimensions that it lacks are 1.
struct DatasetShape {
  /// 0 for a dataset that is no image.
  int rank = 0;
  /// Time, channel, z, x, y.
  std::uint64_t extent[kMostDimensions] = {1, 1, 1, 1, 1};
  std::uint64_t chunk[kMostDimensions] = {1, 1, 1, 1, 1};
  /// Type of the samples: "u16", "f32", …
  std::string dtype;
  std::uint64_t sample_bytes = 0;

  [[nodiscard]] Size3 size() const {
    return {static_cast<std::int64_t>(extent[2]), static_cast<std::int64_t>(extent[3]),
            static_cast<std::int64_t>(extent[4])};
  }
};

/// Names of the images in a file, each with its number of pixels (of all channels and time points;
/// a file may claim more than fit into an integer).
struct FoundDatasets {
  std::vector<std::string> names;
  std::vector<double> samples;
  /// Objects that cannot be opened, perhaps because a newer library wrote them.
  std::vector<std::string> unreadable;
};

/// Finds the images of a file, in groups nested up to 64 deep. Errors: its groups cannot be read or
/// are nested more deeply, cancelled.
Result<FoundDatasets> find_datasets(const std::shared_ptr<Hdf5Reader>& reader,
                                    const std::stop_token& stop);

/// An image whose size is one that the file can hold.
struct OpenDataset {
  Hdf5Array array;
  DatasetShape shape;

  [[nodiscard]] const std::string& name() const { return array.object().path; }
  [[nodiscard]] std::uint64_t file_bytes() const { return array.object().reader->file_bytes(); }
};

/// Errors name the file and the dataset: missing, no image, a size that the file cannot hold.
Result<OpenDataset> open_dataset(const std::shared_ptr<Hdf5Reader>& reader,
                                 const std::string& name);

/// The dataset with the most values among those that can be read; the error of the largest when
/// none can. `found` has at least one.
Result<OpenDataset> open_largest_dataset(const std::shared_ptr<Hdf5Reader>& reader,
                                         const FoundDatasets& found);

/// The attribute element_size_um of a dataset or of the group that it is in, in µm; 1 px without.
VoxelSize dataset_voxel_size(const Hdf5Object& dataset);

/// An error about a dataset of a file.
Error dataset_error(const std::filesystem::path& path, const std::string& dataset,
                    const std::string& what, const std::string& advice);

}  // namespace aprscope
