#pragma once

#include <optional>
#include <vector>

#include "core/dataset/dataset.hpp"

namespace aprscope {

/// How a mask is found. Lengths in voxels.
struct MaskSettings {
  /// The map is smoothed to this first; 0: it is not.
  double low_pass = 0.0;
  /// None: Otsu's, of the smoothed map.
  std::optional<double> threshold;
  /// Only the largest piece counts (connected by faces).
  bool largest = true;
  double extend = 3.0;
  double edge = 6.0;
};

struct FoundMask {
  /// Of the smoothed map.
  double threshold = 0.0;
  /// 0 … 1, one a voxel.
  std::vector<float> mask;
};

/// A soft mask round what is brighter than a threshold. Errors: nothing is, or one value only;
/// cancelled. Throws std::bad_alloc.
Result<FoundMask> find_mask(const Dataset& map, const MaskSettings& settings,
                            const JobContext& context);

/// Bytes that find_mask() takes.
std::uint64_t mask_bytes(const Dataset& map);

}  // namespace aprscope
