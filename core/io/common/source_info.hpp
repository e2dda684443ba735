#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/apr/structure/apr.hpp"
#include "core/image/channel_blend.hpp"

namespace aprscope {

/// What a file holds, known from its headers alone. TIFF: pages are z, rows x, columns y.
struct SourceInfo {
  std::filesystem::path path;
  /// Format::id of its format in the table, which load() and open_slices() go by.
  std::string format_id;
  /// The kind of it, for people: "TIFF", "ImageJ TIFF", "OME-TIFF", "HDF5", "APR".
  std::string format;
  bool is_apr = false;
  Size3 size;
  /// "u8", … of the samples in the file.
  std::string dtype;
  VoxelSize voxel;
  /// The file says that it is turned, sheared or mirrored, which is not done.
  bool turned = false;
  std::vector<std::string> channels{"0"};
  /// How channels look, one a channel; empty where the file says nothing of it.
  std::vector<ChannelHint> hints;
  int times = 1;
  /// From one time point to the next, in seconds; none: the file does not say.
  std::optional<double> seconds;
  /// HDF5: paths of all volumes inside the file; `dataset` is the one these facts are about. The
  /// last dimensions of a dataset are z, x, y; before them stand the channel (4-D) or the time
  /// point and the channel (5-D).
  std::vector<std::string> datasets;
  std::string dataset;
  /// APR only: particles, fields, finest level.
  std::uint64_t particles = 0;
  std::vector<std::string> fields;
  std::uint64_t file_bytes = 0;
  /// Other files and folders that the image is read from: files of its set, its metadata, its
  /// pixels. Not the parts of a folder, nor the stacks of a table.
  std::vector<std::filesystem::path> further;
};

/// Which channel and time point of a file to read.
struct SourceSelection {
  int channel = 0;
  int time = 0;
  /// For a set of projections with more images than are shown at a time: the first row of its table
  /// that is shown.
  std::int64_t first_image = 0;
  friend bool operator==(const SourceSelection&, const SourceSelection&) = default;
};

/// Either a pixel image or an APR.
using Data = std::variant<Volume, Apr>;

}  // namespace aprscope
