#pragma once

#include <cstdint>
#include <vector>

#include "core/image/volume.hpp"

namespace aprscope {

/// Properties of an image from which default depths and strengths are chosen.
struct WallSignal {
  /// Standard deviation of noise between neighbours: 1.4826 × the median magnitude of second
  /// differences along y ÷ √6, which the few that edges reach change little.
  double noise = 0.0;
  /// The mean of what is bright less the mean of what is dark, parted by Otsu's threshold.
  double contrast = 0.0;
};

/// The signal of an image, from at most some millions of pixels in evenly spread rows. Values that
/// are not finite are left out. Equal for any number of threads.
template <class T>
WallSignal wall_signal(const Pixels<T>& image);

/// The rows (z · size.x + x) that are looked at, in ascending order: an image of only these tells
/// the same.
std::vector<std::int64_t> wall_signal_rows(const Size3& size);

}  // namespace aprscope
