#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <vector>

#include "core/apr/raycast/raycast.hpp"

// Rays through pixels by brute force.
namespace aprscope::test {

using Vector = std::array<double, 3>;

/// A ray in world coordinates (y, x, z), straight from the definition of the camera.
struct WorldRay {
  Vector from{};
  Vector along{};
  bool half = false;  // starts at `from`
};

inline WorldRay camera_ray(const RayCamera& c, int width, int height, double row, double col) {
  const double tall = c.perspective
                          ? 2.0 * std::tan(c.view_angle_degrees * std::numbers::pi / 360.0)
                          : c.height_world;
  const double u = (col - 0.5 * (width - 1)) * tall / height;
  const double v = (0.5 * (height - 1) - row) * tall / height;
  WorldRay ray;
  ray.half = c.perspective;
  for (std::size_t a = 0; a < 3; ++a) {
    const double offset = u * c.right[a] + v * c.up[a];
    ray.from[a] = c.eye[a] + (c.perspective ? 0.0 : offset);
    ray.along[a] = c.forward[a] + (c.perspective ? offset : 0.0);
  }
  return ray;
}

/// Where a ray is inside one pixel: from `begin` to `end`, in units of WorldRay::along.
struct RayPiece {
  double begin = 0.0;
  double end = 0.0;
  Index3 pixel;
};

/// The pixels that a ray runs through, in order: cut at every plane between pixels, the pixel in
/// the middle of each piece. `only`: of these pixels alone.
inline std::vector<RayPiece> pieces_along(const Size3& size, const VoxelSize& voxel,
                                          const WorldRay& ray,
                                          const std::optional<Region>& only = {}) {
  const Region seen = only.value_or(whole(size));
  const Vector step{voxel.y, voxel.x, voxel.z};
  const std::array<std::int64_t, 3> n{size.y, size.x, size.z};
  std::vector<double> cuts;
  for (std::size_t a = 0; a < 3; ++a) {
    if (ray.along[a] == 0.0) continue;
    for (std::int64_t plane = 0; plane <= n[a]; ++plane) {
      const double t = (static_cast<double>(plane) * step[a] - ray.from[a]) / ray.along[a];
      if (!ray.half || t >= 0.0) cuts.push_back(t);
    }
  }
  if (ray.half) cuts.push_back(0.0);
  std::sort(cuts.begin(), cuts.end());
  std::vector<RayPiece> pieces;
  for (std::size_t i = 1; i < cuts.size(); ++i) {
    if (cuts[i] <= cuts[i - 1]) continue;
    const double t = 0.5 * (cuts[i] + cuts[i - 1]);
    std::array<std::int64_t, 3> p{};
    bool inside = true;
    for (std::size_t a = 0; a < 3; ++a) {
      p[a] = static_cast<std::int64_t>(std::floor((ray.from[a] + t * ray.along[a]) / step[a]));
      inside = inside && p[a] >= 0 && p[a] < n[a];
    }
    if (inside && seen.contains({p[2], p[1], p[0]})) {
      pieces.push_back({cuts[i - 1], cuts[i], {p[2], p[1], p[0]}});
    }
  }
  return pieces;
}

}  // namespace aprscope::test
