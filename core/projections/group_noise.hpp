#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace aprscope {

/// Power of the noise in the images of an optics group.
struct NoisePower {
  /// Index in ProjectionTable::optics, and the name of the group.
  std::uint32_t optics = 0;
  std::string group;
  /// Images that it was measured in.
  std::int64_t images = 0;
  /// The shell of Nyquist, side ÷ 2.
  std::int64_t nyquist = 0;
  /// σ²(k) for k = 0, 1, … cycles over the side of an image, shells round(|k|) up to the corners of
  /// its transform: of white noise the variance of a pixel, grey values squared, at all k.
  std::vector<double> power;
};

}  // namespace aprscope
