#pragma once

#include <array>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "core/apr/convert/slice_source.hpp"
#include "core/base/result.hpp"
#include "core/io/zarr/zarr_write.hpp"

// Private to core/io: what OME-NGFF says of an image that is written ("multiscales" and "omero").

namespace aprscope {

/// The lowest and highest finite value of a channel; empty (low above high) where there is none.
struct ZarrRange {
  double low = std::numeric_limits<double>::max();
  double high = std::numeric_limits<double>::lowest();
};

/// All that is written of an image, except its pixels.
struct ZarrFacts {
  Size3 size;
  SampleKind kind = SampleKind::u8;
  VoxelSize voxel;
  std::array<double, 3> origin{0.0, 0.0, 0.0};
  std::string name;
  OmeZarrSeries series;
  /// One for each channel, over all time points.
  std::vector<ZarrRange> ranges;
};

/// How many pixels of the image one of a level covers in each dimension.
using ZarrFactors = std::array<double, 3>;

/// Writes the metadata of the group `folder` whose levels are called "0", "1", … Errors: those of
/// the disk.
Status write_zarr_group(const std::filesystem::path& folder, const ZarrFacts& facts,
                        const std::vector<ZarrFactors>& levels, OmeZarrVersion version);

}  // namespace aprscope
