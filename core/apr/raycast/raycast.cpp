#include "core/apr/raycast/raycast.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <new>
#include <numbers>
#include <string>
#include <utility>
#include <variant>

#include "core/apr/raycast/octree.hpp"
#include "core/apr/raycast/pixel_pyramid.hpp"
#include "core/apr/raycast/ray_traversal.hpp"
#include "core/base/parallel.hpp"

namespace aprscope {
namespace detail {

/// What of a volume is asked for: translucent matter, the surface at a value, or the maximum; and
/// whether also where that is (not of translucent matter).
struct RayQuery {
  int finest_level = 1;
  std::optional<float> at{};
  std::optional<RayMatter> matter{};
  bool places = false;
};

}  // namespace detail

namespace {

using detail::RayQuery;
using Vector = std::array<double, 3>;

constexpr int kTile = 16;
constexpr int kMaxImageSide = 32768;

double radians(double degrees) { return degrees * std::numbers::pi / 180.0; }

Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// Edges of a pixel in world order (y, x, z); a size that makes no sense counts as 1.
Vector world_steps(const VoxelSize& voxel) {
  const auto sane = [](double v) { return std::isfinite(v) && v > 0.0 ? v : 1.0; };
  return {sane(voxel.y), sane(voxel.x), sane(voxel.z)};
}

// Turns image pixels into rays in pixel coordinates (z, x, y).
class RayMaker {
 public:
  RayMaker(const RayCamera& camera, const Size3& size, const Vector& steps, int width, int height)
      : camera_(camera), steps_(steps), size_{size.z, size.x, size.y}, high_(size_) {
    if (camera.only) {
      const auto& [begin, end] = *camera.only;
      low_ = {std::max<std::int64_t>(0, begin.z), std::max<std::int64_t>(0, begin.x),
              std::max<std::int64_t>(0, begin.y)};
      high_ = {std::min(size.z, end.z), std::min(size.x, end.x), std::min(size.y, end.y)};
    }
    const double tall = camera.perspective
                            ? 2.0 * std::tan(0.5 * radians(camera.view_angle_degrees))
                            : camera.height_world;
    pixel_ = tall / height;
    left_ = 0.5 * width;
    top_ = 0.5 * height;
    for (std::size_t a = 0; a < 3; ++a) {
      const double middle = 0.5 * static_cast<double>(size_[2 - a]) * steps[a];
      reach_ += (middle - camera.eye[a]) * camera.forward[a];
    }
    reach_ = std::max(std::abs(reach_), pixel_);
  }

  // A ray whose direction is set where all have the same.
  detail::Ray first_ray() const {
    detail::Ray ray;
    std::array<double, 3> origin{};
    std::array<double, 3> direction{};
    line(top_, left_, origin, direction);
    ray.set_direction(direction);
    return ray;
  }

  // Makes first_ray() the ray of a pixel's centre; false when that misses what is seen.
  bool make(int row, int col, detail::Ray& ray) const {
    std::array<double, 3> origin{};
    std::array<double, 3> direction{};
    line(row + 0.5, col + 0.5, origin, direction);
    for (std::size_t a = 0; a < 3; ++a) {
      if (low_[a] >= high_[a]) return false;
    }
    if (!camera_.perspective) {
      return ray.set_origin(origin, low_, high_, -std::numeric_limits<double>::infinity());
    }
    ray.set_direction(direction);
    return ray.set_origin(origin, low_, high_, 0.0);
  }

  // How far the point t of a ray is from the eye, along the view, in world units.
  [[nodiscard]] float depth(const detail::Ray& ray, double t) const {
    double sum = 0.0;
    for (std::size_t a = 0; a < 3; ++a) {
      const double world = (ray.o[2 - a] + t * ray.d[2 - a]) * steps_[a];
      sum += (world - camera_.eye[a]) * camera_.forward[a];
    }
    return static_cast<float>(sum);
  }

  // How long a step of 1 in t is, in world units.
  [[nodiscard]] double length_of_step(const detail::Ray& ray) const {
    double sum = 0.0;
    for (std::size_t a = 0; a < 3; ++a) sum += ray.d[2 - a] * steps_[a] * ray.d[2 - a] * steps_[a];
    return std::sqrt(sum);
  }

  // The beam of pixels [row0, row1) × [col0, col1), out to their edges.
  detail::Beam beam(int row0, int row1, int col0, int col1, float margin) const {
    const auto edge = [this](double row, double col) {
      detail::Beam::Edge e{};
      line(row, col, e.from, e.to);
      for (std::size_t a = 0; a < 3; ++a) e.to[a] = e.from[a] + reach_ * e.to[a];
      return e;
    };
    return {{edge(row0, col0), edge(row0, col1), edge(row1, col1), edge(row1, col0)},
            edge(0.5 * (row0 + row1), 0.5 * (col0 + col1)).to,
            margin};
  }

  // Side of the cells that a tile's list is made of, in pixels of the image: a third of the width
  // of a tile at the middle of the volume, found by trying.
  [[nodiscard]] double entry_side() const {
    return 0.3 * kTile * spacing() / std::min({steps_[0], steps_[1], steps_[2]});
  }

  // Distance of neighbouring rays at the middle of the volume, in world units.
  [[nodiscard]] double spacing() const { return pixel_ * (camera_.perspective ? reach_ : 1.0); }

 private:
  RayCamera camera_;
  Vector steps_;
  std::array<std::int64_t, 3> size_;
  // What is seen of the volume.
  std::array<std::int64_t, 3> low_{0, 0, 0};
  std::array<std::int64_t, 3> high_;
  // Position and direction of a point of the picture (in its pixels), in pixel coordinates.
  void line(double row, double col, std::array<double, 3>& origin,
            std::array<double, 3>& direction) const {
    const double u = (col - left_) * pixel_;
    const double v = (top_ - row) * pixel_;
    for (std::size_t a = 0; a < 3; ++a) {
      const double offset = u * camera_.right[a] + v * camera_.up[a];
      const double from = camera_.perspective ? camera_.eye[a] : camera_.eye[a] + offset;
      const double along = camera_.perspective ? camera_.forward[a] + offset : camera_.forward[a];
      origin[2 - a] = from / steps_[a];
      direction[2 - a] = along / steps_[a];
    }
  }

  // Edge of a picture's pixel in world units; perspective: at distance 1.
  double pixel_ = 1.0;
  // Distance from the eye to the middle of the volume along the view.
  double reach_ = 0.0;
  double left_ = 0.0;
  double top_ = 0.0;
};

// What a ray shows; nothing: not even the background of the volume.
template <class Tree>
std::optional<float> shown(const RayMaker& maker, detail::Traversal<Tree>& traversal,
                           const detail::Ray& ray, const RayQuery& asked) {
  if (asked.matter) {
    const double per_t = maker.length_of_step(ray) * asked.matter->per_length;
    return traversal.shine(ray, *asked.matter, per_t).value(*asked.matter);
  }
  if (asked.at) {
    const auto t = traversal.first(ray, *asked.at);
    return t ? std::optional(maker.depth(ray, *t)) : std::nullopt;
  }
  const float v = traversal.cast(ray);
  return v == detail::kNothing ? std::nullopt : std::optional(v);
}

// What the rays of a tile show and where, in a volume of `size`, if hits has room for that.
template <class Tree>
void render_tile(const RayMaker& maker, detail::Traversal<Tree>& traversal, const Size3& size,
                 int row0, int col0, const RayQuery& asked, RayHits& hits) {
  RayImage& image = hits.image;
  const int row1 = std::min(row0 + kTile, image.height);
  const int col1 = std::min(col0 + kTile, image.width);
  detail::Ray ray = maker.first_ray();
  if (!asked.matter) traversal.enter(maker.beam(row0, row1, col0, col1, traversal.margin()));
  for (int row = row0; row < row1; ++row) {
    for (int col = col0; col < col1; ++col) {
      if (!maker.make(row, col, ray)) continue;
      const std::size_t i = static_cast<std::size_t>(row) * static_cast<std::size_t>(image.width) +
                            static_cast<std::size_t>(col);
      const auto value = shown(maker, traversal, ray, asked);
      if (!value) continue;
      image.values[i] = *value;
      if (hits.pixels.empty()) continue;
      const auto& low = traversal.met();
      hits.pixels[i] = (low[0] * size.x + low[1]) * size.y + low[2];
    }
  }
}

// Throws std::bad_alloc.
template <class Tree>
void render_tiles(const Tree& tree, const RayMaker& maker, const Size3& size, const RayQuery& asked,
                  const JobContext& context, RayHits& hits) {
  const RayImage& image = hits.image;
  using Traversal = detail::Traversal<Tree>;
  const int tiles_x = (image.width + kTile - 1) / kTile;
  const int tiles_y = (image.height + kTile - 1) / kTile;
  const std::int64_t tiles = static_cast<std::int64_t>(tiles_x) * tiles_y;
  const int threads = static_cast<int>(std::min<std::int64_t>(tiles, thread_count()));
  // Each thread makes its own traversal, so that it lies in that thread's cache.
  std::vector<std::unique_ptr<Traversal>> traversals(static_cast<std::size_t>(threads));
  parallel_each(tiles, threads, [&](std::int64_t i, int thread) {
    if (context.stop_requested()) return;
    auto& traversal = traversals[static_cast<std::size_t>(thread)];
    if (!traversal) {
      traversal = std::make_unique<Traversal>(tree, std::max({size.z, size.x, size.y}),
                                              asked.finest_level, maker.entry_side());
    }
    render_tile(maker, *traversal, size, static_cast<int>(i / tiles_x) * kTile,
                static_cast<int>(i % tiles_x) * kTile, asked, hits);
  });
}

}  // namespace

struct MipRaycaster::Octree {
  using Tree = std::variant<detail::AprOctree, detail::PixelPyramid<std::uint8_t>,
                            detail::PixelPyramid<std::uint16_t>, detail::PixelPyramid<float>>;
  Size3 size;
  Vector steps{1.0, 1.0, 1.0};
  Tree tree;
  // Keeps the pixels that a pyramid borrows.
  std::shared_ptr<const Volume> volume;
};

RayCamera orbit_camera(const Size3& size, const VoxelSize& voxel, double azimuth_degrees,
                       double elevation_degrees, double zoom) {
  const Vector steps = world_steps(voxel);
  const Vector extent{static_cast<double>(size.y) * steps[0],
                      static_cast<double>(size.x) * steps[1],
                      static_cast<double>(size.z) * steps[2]};
  const double az = radians(azimuth_degrees);
  const double el = radians(elevation_degrees);
  // The direction from the centre to the eye; at angles 0, 0 it is −z, and up is −x.
  const Vector back{std::cos(el) * std::sin(az), -std::sin(el), -std::cos(el) * std::cos(az)};
  RayCamera camera;
  camera.right = {std::cos(az), 0.0, std::sin(az)};
  camera.up = cross(back, camera.right);
  camera.forward = {-back[0], -back[1], -back[2]};
  const double diagonal =
      std::sqrt(extent[0] * extent[0] + extent[1] * extent[1] + extent[2] * extent[2]);
  const double magnified = std::isfinite(zoom) && zoom > 0.0 ? zoom : 1.0;
  constexpr double half_angle = 15.0;
  const double distance = 0.5 * diagonal / std::sin(radians(half_angle));
  for (std::size_t a = 0; a < 3; ++a) camera.eye[a] = 0.5 * extent[a] + distance * back[a];
  camera.height_world = diagonal / magnified;
  camera.view_angle_degrees =
      2.0 * std::atan(std::tan(radians(half_angle)) / magnified) * 180.0 / std::numbers::pi;
  return camera;
}

int level_of_rays(const RayCamera& camera, const Size3& size, const VoxelSize& voxel, int height,
                  int level_max) {
  const Vector steps = world_steps(voxel);
  const RayMaker maker(camera, size, steps, 1, std::max(height, 1));
  const double pixels = maker.spacing() / std::cbrt(steps[0] * steps[1] * steps[2]);
  if (!(pixels >= 2.0)) return std::max(level_max, 1);
  const double coarser = std::min(std::floor(std::log2(pixels)), static_cast<double>(level_max));
  return std::max(level_max - static_cast<int>(coarser), 1);
}

Result<std::shared_ptr<const MipRaycaster>> MipRaycaster::build(
    std::shared_ptr<const AprAccess> access, std::span<const float> values, const VoxelSize& voxel,
    const JobContext& context) {
  const Size3 size = access->size();
  auto tree = detail::AprOctree::build(std::move(access), values, context);
  if (!tree) return tree.error();
  auto octree = std::make_shared<Octree>(
      Octree{size, world_steps(voxel), Octree::Tree(std::move(*tree)), nullptr});
  return std::make_shared<const MipRaycaster>(std::move(octree));
}

Result<std::shared_ptr<const MipRaycaster>> MipRaycaster::build(
    std::shared_ptr<const Volume> volume, const JobContext& context) {
  const Size3 size = volume->size();
  if (size.z < 1 || size.x < 1 || size.y < 1 || std::max({size.z, size.x, size.y}) > 65536) {
    return Error{"a size is not between 1 and 65536", "maximum projection", "choose another image"};
  }
  return std::visit(
      [&](const auto& pixels) -> Result<std::shared_ptr<const MipRaycaster>> {
        using Sample = typename std::decay_t<decltype(pixels.values)>::value_type;
        auto pyramid = detail::PixelPyramid<Sample>::build(pixels, context);
        if (!pyramid) return pyramid.error();
        auto octree = std::make_shared<Octree>(
            Octree{size, world_steps(volume->voxel), Octree::Tree(std::move(*pyramid)), volume});
        return std::make_shared<const MipRaycaster>(std::move(octree));
      },
      volume->pixels);
}

Status MipRaycaster::check_sides(int width, int height) {
  if (width >= 1 && height >= 1 && width <= kMaxImageSide && height <= kMaxImageSide) return {};
  return Error{"an image of " + std::to_string(width) + " × " + std::to_string(height) +
                   " pixels cannot be rendered",
               "3-D view", "choose sides from 1 to " + std::to_string(kMaxImageSide)};
}

Result<RayImage> MipRaycaster::render(const RayCamera& camera, int width, int height,
                                      int finest_level, const JobContext& context) const {
  auto made = picture(camera, width, height, {finest_level}, context);
  if (!made) return made.error();
  return std::move(made->image);
}

Result<RayImage> MipRaycaster::surface(const RayCamera& camera, int width, int height,
                                       int finest_level, float at,
                                       const JobContext& context) const {
  auto made = picture(camera, width, height, {finest_level, at}, context);
  if (!made) return made.error();
  return std::move(made->image);
}

Result<RayImage> MipRaycaster::translucent(const RayCamera& camera, int width, int height,
                                           const Translucency& translucency,
                                           const JobContext& context) const {
  const RayQuery query{level_max(), {}, detail::matter_of(translucency)};
  auto made = picture(camera, width, height, query, context);
  if (!made) return made.error();
  return std::move(made->image);
}

Result<RayHits> MipRaycaster::brightest(const RayCamera& camera, int width, int height,
                                        int finest_level, const JobContext& context) const {
  return picture(camera, width, height, {finest_level, {}, {}, true}, context);
}

Result<RayHits> MipRaycaster::first(const RayCamera& camera, int width, int height,
                                    int finest_level, float at, const JobContext& context) const {
  return picture(camera, width, height, {finest_level, at, {}, true}, context);
}

Result<RayHits> MipRaycaster::picture(const RayCamera& camera, int width, int height,
                                      const RayQuery& asked, const JobContext& context) const {
  if (Status fine = check_sides(width, height); !fine) return fine.error();
  RayHits hits;
  hits.image.width = width;
  hits.image.height = height;
  try {
    const std::size_t count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    hits.image.values.assign(count, std::numeric_limits<float>::quiet_NaN());
    if (asked.places) hits.pixels.assign(count, -1);
    const RayMaker maker(camera, tree_->size, tree_->steps, width, height);
    std::visit(
        [&](const auto& tree) { render_tiles(tree, maker, tree_->size, asked, context, hits); },
        tree_->tree);
  } catch (const std::bad_alloc&) {
    return Error{"not enough memory for the picture", "3-D view",
                 "choose a smaller picture or close other data"};
  }
  if (context.stop_requested()) return cancelled_error();
  return hits;
}

int MipRaycaster::level_max() const {
  return std::visit([](const auto& tree) { return tree.level_max(); }, tree_->tree);
}

std::uint64_t MipRaycaster::bytes() const {
  return std::visit([](const auto& tree) { return tree.bytes(); }, tree_->tree);
}

}  // namespace aprscope
