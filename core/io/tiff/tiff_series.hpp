#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/io/tiff/tiff_files.hpp"
#include "core/io/tiff/tiff_metadata.hpp"
#include "core/io/tiff/tiff_pages.hpp"

// Private to core/io: how the pages of a TIFF file make up channels, slices and time points.

namespace aprscope {

struct TiffSeries {
  std::string format = "TIFF";
  Size3 size;
  /// Shape and sample type of every plane.
  TiffPage shape;
  /// Channels that have planes of their own; each has shape.samples of the file's channels.
  std::int64_t plane_channels = 1;
  std::int64_t times = 1;
  /// See SourceInfo::seconds.
  std::optional<double> seconds;
  std::vector<std::string> channels;
  /// See SourceInfo::hints.
  std::vector<ChannelHint> hints;
  VoxelSize voxel;
  std::array<double, 3> origin{0.0, 0.0, 0.0};
  /// Page number of plane (t · plane_channels + c) · size.z + z; −1: in no file.
  std::vector<std::int64_t> page;
  /// File of each plane, see TiffFiles; empty: all planes are in the first.
  std::vector<std::int32_t> file;
  /// Names of the other files, see TiffFiles.
  std::vector<std::string> others;
  /// Name of the file beside `path` with the metadata; empty: they are in the first file.
  std::string companion;
  /// Number of pages of each file; 0: any number.
  std::size_t pages_each = 0;
  /// ImageJ's stacks above 4 GB have one directory, and the planes follow each other from here.
  /// Then `page` is empty and planes lie in the order channel, slice, frame.
  std::uint64_t run_offset = 0;

  [[nodiscard]] std::size_t file_of(std::size_t plane) const {
    return file.empty() ? 0 : static_cast<std::size_t>(file[plane]);
  }
  [[nodiscard]] std::size_t plane(std::int64_t t, std::int64_t c, std::int64_t z) const {
    return static_cast<std::size_t>((t * plane_channels + c) * size.z + z);
  }
};

/// Arranges the pages of a file, and those of other files that it names, as the metadata say.
/// Errors: pages that do not belong together, fewer pages or bytes than the metadata claim, samples
/// that are not supported. `path` is the file's path, by which metadata in other files know it.
Result<TiffSeries> arrange_tiff(const TiffPages& pages, const std::filesystem::path& path);

/// Checks that all planes of a volume are there and readable; errors name the plane or file that is
/// not; cancelled.
Status check_planes(const TiffSeries& series, TiffFiles& files, std::int64_t t, std::int64_t c,
                    const JobContext& context);

}  // namespace aprscope
