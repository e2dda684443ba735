#include "core/apr/raycast/surface_paint.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <variant>

#include "core/base/parallel.hpp"
#include "core/base/system.hpp"

namespace aprscope {
namespace {

// Rays end on the faces of pixels, as exactly as a float says it: so far behind those, in pixels,
// they are inside of any that is not met at a grazing angle, and few have left it again.
constexpr double kInwards = 0.02;

// Finds the pixels that rays enter.
class EnteredPixels {
 public:
  EnteredPixels(const RayImage& depths, const RayCamera& camera, const VoxelSize& voxel,
                const Size3& size)
      : depths_(depths), camera_(camera), size_{size.y, size.x, size.z} {
    const auto sane = [](double v) { return std::isfinite(v) && v > 0.0 ? v : 1.0; };
    steps_ = {sane(voxel.y), sane(voxel.x), sane(voxel.z)};
    const double half = 0.5 * camera.view_angle_degrees * std::numbers::pi / 180.0;
    pixel_ = (camera.perspective ? 2.0 * std::tan(half) : camera.height_world) / depths.height;
  }

  // Index of the pixel of the values where the ray meets the surface; the depth must be a number.
  [[nodiscard]] std::size_t at(int row, int col) const {
    const double depth =
        depths_.values[static_cast<std::size_t>(row) * static_cast<std::size_t>(depths_.width) +
                       static_cast<std::size_t>(col)];
    const double u = (col + 0.5 - 0.5 * depths_.width) * pixel_;
    const double v = (0.5 * depths_.height - row - 0.5) * pixel_;
    std::array<double, 3> place{};  // y, x, z, in pixels
    std::array<double, 3> along{};
    double length = 0.0;
    for (std::size_t a = 0; a < 3; ++a) {
      const double offset = u * camera_.right[a] + v * camera_.up[a];
      const double from = camera_.perspective ? camera_.eye[a] : camera_.eye[a] + offset;
      const double to = camera_.perspective ? camera_.forward[a] + offset : camera_.forward[a];
      along[a] = to / steps_[a];
      place[a] = from / steps_[a] + depth * along[a];
      length += along[a] * along[a];
    }
    const double inwards = kInwards / std::sqrt(length);
    std::array<std::int64_t, 3> p{};
    for (std::size_t a = 0; a < 3; ++a) {
      const double inside = std::floor(place[a] + inwards * along[a]);
      p[a] = static_cast<std::int64_t>(std::clamp(inside, 0.0, static_cast<double>(size_[a] - 1)));
    }
    return static_cast<std::size_t>((p[2] * size_[1] + p[1]) * size_[0] + p[0]);
  }

 private:
  const RayImage& depths_;
  const RayCamera& camera_;
  std::array<std::int64_t, 3> size_;  // y, x, z
  std::array<double, 3> steps_{};
  double pixel_ = 1.0;
};

}  // namespace

Result<RayImage> surface_paint(const RayImage& depths, const RayCamera& camera,
                               const VoxelSize& voxel, const Volume& values,
                               const JobContext& context) {
  RayImage image;
  image.width = depths.width;
  image.height = depths.height;
  image.values.assign(depths.values.size(), std::numeric_limits<float>::quiet_NaN());
  const EnteredPixels entered(depths, camera, voxel, values.size());
  std::visit(
      [&](const auto& pixels) {
        if (pixels.values.empty()) return;
        parallel_for(image.height, thread_count(), [&](std::int64_t row) {
          if (context.stop_requested()) return;
          for (int col = 0; col < image.width; ++col) {
            const std::size_t ray =
                static_cast<std::size_t>(row) * static_cast<std::size_t>(image.width) +
                static_cast<std::size_t>(col);
            if (!std::isfinite(depths.values[ray])) continue;
            const auto value =
                static_cast<float>(pixels.values[entered.at(static_cast<int>(row), col)]);
            if (std::isfinite(value)) image.values[ray] = value;
          }
        });
      },
      values.pixels);
  if (context.stop_requested()) return cancelled_error();
  return image;
}

}  // namespace aprscope
