#include "core/apr/raycast/surface_shading.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "core/base/parallel.hpp"
#include "core/base/system.hpp"

namespace aprscope {
namespace {

constexpr int kMostPixels = 8;  // on each side, that are averaged
// Brightness of a surface that is turned away from the lamp.
constexpr double kAmbient = 0.18;

using Vector = std::array<double, 3>;

// Rows or columns of a picture, whichever `step` leads along.
struct Line {
  std::size_t begin = 0;
  std::size_t step = 1;
  int count = 0;
};

// Means along a line of depths that differ by less than `edge` from the one in the middle.
void smooth_line(const std::vector<float>& from, const Line& line, int reach, float edge,
                 std::vector<float>& to) {
  for (int i = 0; i < line.count; ++i) {
    const std::size_t at = line.begin + static_cast<std::size_t>(i) * line.step;
    const float middle = from[at];
    float sum = 0.0F;
    float weight = 0.0F;
    if (!std::isnan(middle)) {
      const int last = std::min(line.count - 1, i + reach);
      for (int k = std::max(0, i - reach); k <= last; ++k) {
        const float other = from[line.begin + static_cast<std::size_t>(k) * line.step];
        if (!(std::abs(other - middle) < edge)) continue;
        sum += other;
        weight += 1.0F;
      }
    }
    to[at] = weight > 0.0F ? sum / weight : middle;
  }
}

class Shader {
 public:
  Shader(const RayImage& depths, const RayCamera& camera, double grain)
      : camera_(camera),
        width_(depths.width),
        height_(depths.height),
        depths_(depths.values),
        grain_(grain) {
    const double half = 0.5 * camera.view_angle_degrees * std::numbers::pi / 180.0;
    pixel_ = (camera.perspective ? 2.0 * std::tan(half) : camera.height_world) / height_;
  }

  void smooth(const JobContext& context) {
    double width = pixel_;
    if (camera_.perspective) width *= std::max(1e-9, middle_depth());
    const int reach =
        static_cast<int>(std::clamp(std::ceil(1.5 * grain_ / width), 1.0, double{kMostPixels}));
    // A step of a cell is no edge, nor is a slope over the reach.
    edge_ = static_cast<float>(2.5 * grain_ + 2.0 * reach * width);
    std::vector<float> other(depths_.size());
    const auto columns = static_cast<std::size_t>(width_);
    for (int pass = 0; pass < 2; ++pass) {
      parallel_for(height_, thread_count(), [&](std::int64_t row) {
        if (context.stop_requested()) return;
        smooth_line(depths_, {static_cast<std::size_t>(row) * columns, 1, width_}, reach, edge_,
                    other);
      });
      parallel_for(width_, thread_count(), [&](std::int64_t col) {
        if (context.stop_requested()) return;
        smooth_line(other, {static_cast<std::size_t>(col), columns, height_}, reach, edge_,
                    depths_);
      });
    }
  }

  [[nodiscard]] float at(int row, int col) const {
    const Vector here = position(row, col);
    if (std::isnan(here[0])) return std::numeric_limits<float>::quiet_NaN();
    const Vector across = slope(here, row, col - 1, row, col + 1);
    const Vector down = slope(here, row - 1, col, row + 1, col);
    Vector n{across[1] * down[2] - across[2] * down[1], across[2] * down[0] - across[0] * down[2],
             across[0] * down[1] - across[1] * down[0]};
    const double length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (!(length > 0.0)) return 1.0F;
    double towards = 0.0;
    for (std::size_t a = 0; a < 3; ++a) {
      towards += n[a] * (0.35 * camera_.up[a] - 0.3 * camera_.right[a] - camera_.forward[a]);
    }
    // The lamp's direction has this length.
    const double lamp = std::sqrt(0.35 * 0.35 + 0.3 * 0.3 + 1.0);
    const double light = std::abs(towards) / (length * lamp);
    return static_cast<float>(kAmbient + (1.0 - kAmbient) * std::min(1.0, light));
  }

 private:
  [[nodiscard]] double middle_depth() const {
    double sum = 0.0;
    double count = 0.0;
    for (std::size_t i = 0; i < depths_.size(); i += 17) {
      if (std::isnan(depths_[i])) continue;
      sum += depths_[i];
      count += 1.0;
    }
    return count > 0.0 ? sum / count : 1.0;
  }
  // Position relative to the eye; NaN outside of the picture and where there is no surface.
  [[nodiscard]] Vector position(int row, int col) const {
    Vector p{};
    p.fill(std::numeric_limits<double>::quiet_NaN());
    if (row < 0 || col < 0 || row >= height_ || col >= width_) return p;
    const double depth = depths_[static_cast<std::size_t>(row) * static_cast<std::size_t>(width_) +
                                 static_cast<std::size_t>(col)];
    const double far = camera_.perspective ? depth : 1.0;
    const double u = (col + 0.5 - 0.5 * width_) * pixel_ * far;
    const double v = (0.5 * height_ - row - 0.5) * pixel_ * far;
    for (std::size_t a = 0; a < 3; ++a) {
      p[a] = u * camera_.right[a] + v * camera_.up[a] + depth * camera_.forward[a];
    }
    return p;
  }
  // Difference of two neighbours; `here` replaces a neighbour that is on another surface.
  [[nodiscard]] Vector slope(const Vector& here, int row0, int col0, int row1, int col1) const {
    Vector first = position(row0, col0);
    Vector second = position(row1, col1);
    if (!near(first, here)) first = here;
    if (!near(second, here)) second = here;
    return {second[0] - first[0], second[1] - first[1], second[2] - first[2]};
  }
  [[nodiscard]] bool near(const Vector& p, const Vector& here) const {
    double apart = 0.0;
    for (std::size_t a = 0; a < 3; ++a) apart += (p[a] - here[a]) * camera_.forward[a];
    return std::abs(apart) < edge_;  // not where p is NaN
  }

  RayCamera camera_;
  int width_;
  int height_;
  std::vector<float> depths_;
  double grain_;
  double pixel_ = 1.0;
  float edge_ = 0.0F;
};

}  // namespace

Result<RayImage> shade_surface(const RayImage& depths, const RayCamera& camera, double grain,
                               const JobContext& context) {
  RayImage image;
  image.width = depths.width;
  image.height = depths.height;
  image.values.resize(depths.values.size());
  Shader shader(depths, camera, grain);
  shader.smooth(context);
  parallel_for(image.height, thread_count(), [&](std::int64_t row) {
    if (context.stop_requested()) return;
    for (int col = 0; col < image.width; ++col) {
      image.values[static_cast<std::size_t>(row) * static_cast<std::size_t>(image.width) +
                   static_cast<std::size_t>(col)] = shader.at(static_cast<int>(row), col);
    }
  });
  if (context.stop_requested()) return cancelled_error();
  return image;
}

Result<RayImage> lit_surface(const Raycaster& raycaster, const RayCamera& camera, int width,
                             int height, const SurfaceAt& surface, const JobContext& context) {
  const auto depths = raycaster.surface(camera, width, height, raycaster.level_max(), surface.at,
                                        context.part(0.0, 0.8));
  if (!depths) return depths.error();
  const VoxelSize& voxel = surface.voxel;
  return shade_surface(*depths, camera, std::max({voxel.z, voxel.x, voxel.y}),
                       context.part(0.8, 1.0));
}

}  // namespace aprscope
