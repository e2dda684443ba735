#include "core/apr/raycast/translucency.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace aprscope {

double mean_side(const Size3& size, const VoxelSize& voxel) {
  const auto sane = [](double v) { return std::isfinite(v) && v > 0.0 ? v : 1.0; };
  return std::cbrt(static_cast<double>(size.z) * sane(voxel.z) * static_cast<double>(size.x) *
                   sane(voxel.x) * static_cast<double>(size.y) * sane(voxel.y));
}

namespace detail {

RayMatter matter_of(const Translucency& translucency) {
  // Lengths up to this keep products of them finite, and let nothing through.
  constexpr double kOpaque = 1e12;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  RayMatter out;
  // Half of what there is, so that differences are finite.
  constexpr double kMost = std::numeric_limits<float>::max() / 2.0;
  const auto bounded = [kMost](double v) {
    return static_cast<float>(std::clamp(v, -kMost, kMost));
  };
  out.low = bounded(translucency.contrast.low);
  const float high = bounded(translucency.contrast.high);
  // Of a step all above it is drawn brightest.
  out.range = (high > out.low ? high : std::nextafter(out.low, kInfinity)) - out.low;
  out.floor = out.low + kFog * out.range;
  // Large instead of infinite, as 0 · ∞ is no number.
  out.inverse_range = std::min(1.0F / out.range, std::numeric_limits<float>::max());
  const double gamma = translucency.contrast.gamma;
  out.gamma = std::isfinite(gamma) && gamma > 0.0 ? static_cast<float>(gamma) : 1.0F;
  const double per = 1.0 / translucency.depth;
  out.per_length = translucency.depth > 0.0 && per < kOpaque ? per : kOpaque;
  return out;
}

}  // namespace detail
}  // namespace aprscope
