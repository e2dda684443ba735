#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/apr/raycast/ray_camera.hpp"
#include "core/apr/raycast/translucency.hpp"
#include "core/apr/structure/access.hpp"
#include "core/base/job_context.hpp"

namespace aprscope {
namespace detail {
struct RayQuery;
}

/// A camera that looks at the centre of the volume from azimuth and elevation (degrees; 0, 0 looks
/// along +z with y to the right and x down, as a slice is shown; azimuth moves the eye to the
/// right, elevation up). At zoom 1 the volume fits from every side, orthographic or perspective.
RayCamera orbit_camera(const Size3& size, const VoxelSize& voxel, double azimuth_degrees,
                       double elevation_degrees, double zoom);

/// The coarsest level whose cells are no larger than the distance of neighbouring rays where they
/// pass the middle of the volume, in a picture of `height` rows; from 1 to level_max. Cells of
/// voxels that are not cubes count by the side of a cube as large. Rays through the finest level
/// pass by most of what is smaller than their distance, and other things in each picture of a turn.
int level_of_rays(const RayCamera& camera, const Size3& size, const VoxelSize& voxel, int height,
                  int level_max);

/// Result of a raycast: a value a ray, such as the maximum along it; NaN where the ray misses the
/// volume or meets no value that is a number. Row 0 is top.
struct RayImage {
  int width = 0;
  int height = 0;
  std::vector<float> values;
};

/// The same, and where the rays met that: of each the first pixel of the cell, as its place in
/// memory, (z · size.x + x) · size.y + y; −1 where it met nothing.
struct RayHits {
  RayImage image;
  std::vector<std::int64_t> pixels;
};

/// Renders maximum intensity projections, surfaces and translucent pictures of some data, wherever
/// that lies.
class Raycaster {
 public:
  virtual ~Raycaster() = default;

  /// Renders width × height pixels; stops early (cancelled) when the context asks for it. Levels
  /// below 1 count as 1, above level_max() as level_max(). Any thread may call it. Errors:
  /// cancelled, sides that make no picture, what renders fails.
  virtual Result<RayImage> render(const RayCamera& camera, int width, int height, int finest_level,
                                  const JobContext& context = {}) const = 0;

  /// Where rays first meet a value of at least `at` (the surface of a superlevel set): how far from
  /// the camera's eye along `forward`, in world units; NaN where they meet none. Else as render().
  virtual Result<RayImage> surface(const RayCamera& camera, int width, int height, int finest_level,
                                   float at, const JobContext& context = {}) const = 0;

  /// The data as translucent matter, at the finest level: values that the contrast draws as bright
  /// as what reaches the eye, from its low to its high; NaN where the ray misses the volume. A
  /// single value a ray, so that one colour map says how bright it is. Else as render().
  virtual Result<RayImage> translucent(const RayCamera& camera, int width, int height,
                                       const Translucency& translucency,
                                       const JobContext& context = {}) const = 0;

  [[nodiscard]] virtual int level_max() const = 0;
  /// Bytes of memory that it takes here.
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
};

/// Maximum intensity projection by rays through the particles (an octree with maxima in its nodes
/// for empty space and early-out), never through a pixel volume. Built once for values, then turns
/// freely. Each ray takes the exact maximum over the cells that it crosses (of the constant
/// reconstruction), at `finest_level` at most: coarser interior cells then stand in with their
/// maxima.
class MipRaycaster final : public Raycaster {
 public:
  /// `values`: one a particle. Errors: cancelled, too little memory, a wrong number of values.
  /// Memory: about 40 bytes an interior cell, i.e. 5 to 6 a particle.
  static Result<std::shared_ptr<const MipRaycaster>> build(std::shared_ptr<const AprAccess> access,
                                                           std::span<const float> values,
                                                           const VoxelSize& voxel,
                                                           const JobContext& context = {});

  /// The same for a pixel image, so that it can be seen before it is converted (a pyramid of maxima
  /// over its pixels, in their type; the pixels themselves are shared, not copied).
  static Result<std::shared_ptr<const MipRaycaster>> build(std::shared_ptr<const Volume> volume,
                                                           const JobContext& context = {});

  /// Gives the same bytes for any thread count.
  Result<RayImage> render(const RayCamera& camera, int width, int height, int finest_level,
                          const JobContext& context = {}) const override;
  /// Gives the surface of the faces of cells; nothing is interpolated.
  Result<RayImage> surface(const RayCamera& camera, int width, int height, int finest_level,
                           float at, const JobContext& context = {}) const override;

  /// Gives the light of the constant reconstruction, along each ray exactly, but that rays end
  /// where less than 1 / 512 of the light behind would come through.
  Result<RayImage> translucent(const RayCamera& camera, int width, int height,
                               const Translucency& translucency,
                               const JobContext& context = {}) const override;

  /// render() and surface() with the places of what they show. Of equally bright cells any one is
  /// given, but the same one for any thread count.
  Result<RayHits> brightest(const RayCamera& camera, int width, int height, int finest_level,
                            const JobContext& context = {}) const;
  Result<RayHits> first(const RayCamera& camera, int width, int height, int finest_level, float at,
                        const JobContext& context = {}) const;

  [[nodiscard]] int level_max() const override;
  [[nodiscard]] std::uint64_t bytes() const override;

  /// Refuses sides that make no picture.
  static Status check_sides(int width, int height);

  struct Octree;
  explicit MipRaycaster(std::shared_ptr<const Octree> tree) : tree_(std::move(tree)) {}

 private:
  Result<RayHits> picture(const RayCamera& camera, int width, int height,
                          const detail::RayQuery& asked, const JobContext& context) const;

  std::shared_ptr<const Octree> tree_;
};

}  // namespace aprscope
