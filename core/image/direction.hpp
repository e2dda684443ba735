#pragma once

#include <algorithm>
#include <array>
#include <cmath>

// Directions of synthetic scenes. For sources of this folder.

namespace aprscope::direction {

using Vec = std::array<double, 3>;  // z, x, y

inline double dot(const Vec& a, const Vec& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// Scaled to length 1; 0 stays 0.
inline Vec unit(Vec v) {
  const double length = std::max(std::sqrt(dot(v, v)), 1e-12);
  for (double& c : v) c /= length;
  return v;
}

}  // namespace aprscope::direction
