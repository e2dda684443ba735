#pragma once

#include <cmath>
#include <numbers>

namespace aprscope {

/// 1 up to `begin`, 0 from `end` on, half a period of a cosine between: the soft edge of filters
/// and masks.
inline double raised_cosine(double at, double begin, double end) {
  if (at <= begin) return 1.0;
  if (at >= end) return 0.0;
  return 0.5 + 0.5 * std::cos(std::numbers::pi * (at - begin) / (end - begin));
}

/// Shells over which a low-pass filter falls from 1 to 0, half of them on either side of its limit.
constexpr double kLowPassEdge = 2.0;

/// The weight of frequency `k` behind a low-pass filter that is ½ at `limit`, both in cycles a side
/// of the map.
inline double low_pass_weight(double k, double limit) {
  return raised_cosine(k, limit - kLowPassEdge / 2.0, limit + kLowPassEdge / 2.0);
}

}  // namespace aprscope
