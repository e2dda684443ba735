#pragma once

#include <cstdint>
#include <vector>

#include "core/image/volume.hpp"

namespace aprscope {

/// What an image tells about itself, from which depths and strengths are chosen without asking.
struct WallSignal {
  /// Standard deviation of noise between neighbours: 1.4826 × the median magnitude of second
  /// differences along y ÷ √6, which the few that edges reach change little.
  double noise = 0.0;
  /// The mean of what is bright less the mean of what is dark, parted by Otsu's threshold.
  double contrast = 0.0;
};

/// Of at most some millions of pixels, in rows that are spread evenly. Values that are not finite
/// are left out. Equal for any number of threads.
template <class T>
WallSignal wall_signal(const Pixels<T>& image);

/// The rows (z · size.x + x) that are looked at, in ascending order: an image of only these tells
/// the same.
std::vector<std::int64_t> wall_signal_rows(const Size3& size);

}  // namespace aprscope
