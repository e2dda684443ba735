#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/image/channel_blend.hpp"
#include "core/image/volume.hpp"
#include "core/io/zarr/zarr_array.hpp"

// Private to core/io: which array of a store is an image, and what its dimensions are.

namespace aprscope {

/// Places of the program's dimensions among those of an array, -1 for none. Rows (x) are the axis
/// that files call y, and columns (y) the one that they call x.
struct ZarrAxes {
  int time = -1;
  int channel = -1;
  int z = -1;
  int x = -1;
  int y = -1;
};

struct ZarrImage {
  /// "OME-Zarr 0.4", "Zarr 3", "N5".
  std::string format;
  /// Folders of all arrays that may be images; of a pyramid the one at full resolution.
  std::vector<std::string> datasets;
  ZarrArray array;
  ZarrAxes axes;
  VoxelSize voxel;
  /// See Volume::origin.
  std::array<double, 3> origin{0.0, 0.0, 0.0};
  /// See SourceInfo::seconds.
  std::optional<double> seconds;
  /// Names of the channels.
  std::vector<std::string> channels;
  /// See SourceInfo::hints.
  std::vector<ChannelHint> hints;
  /// The file that describes the array, as a key.
  std::string described_in;

  [[nodiscard]] Size3 size() const;
  [[nodiscard]] int times() const;
};

/// The image `dataset` of a store, its own name or below it; for "" the one at full resolution. By
/// OME-NGFF 0.4 and 0.5 (and 0.6, where scale and translation are all that transforms it), by names
/// of dimensions, else by their order: z, y, x are last, channel and time before them. Errors: no
/// image, dimensions that are not understood, transformations other than those. An array that is
/// named opens also where other transformations place it. Cancelled.
Result<ZarrImage> zarr_image(const ZarrStore& store, const std::string& dataset,
                             const JobContext& context);

/// Whether the image that the store itself describes has `key` as one of its levels.
bool lists_level(const ZarrStore& store, const std::string& key);

}  // namespace aprscope
