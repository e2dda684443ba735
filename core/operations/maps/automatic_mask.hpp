#pragma once

#include <optional>
#include <vector>

#include "core/dataset/dataset.hpp"

namespace aprscope {

/// How a mask is found. Lengths in voxels.
struct MaskSettings {
  /// The map is smoothed to this resolution first; 0: it is not.
  double low_pass = 0.0;
  /// Threshold; none: Otsu's threshold of the smoothed map.
  std::optional<double> threshold;
  /// Whether only the largest piece (connected by faces) is kept.
  bool largest = true;
  double extend = 3.0;
  double edge = 6.0;
};

struct FoundMask {
  /// Threshold used on the smoothed map.
  double threshold = 0.0;
  /// 0 … 1, one a voxel.
  std::vector<float> mask;
};

/// A soft mask round voxels brighter than a threshold. Errors: none is brighter, all values are
/// equal; cancelled. Throws std::bad_alloc.
Result<FoundMask> find_mask(const Dataset& map, const MaskSettings& settings,
                            const JobContext& context);

/// Bytes that find_mask() takes.
std::uint64_t mask_bytes(const Dataset& map);

}  // namespace aprscope
