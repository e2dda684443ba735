#pragma once

#include <array>
#include <memory>
#include <optional>

#include "core/apr/raycast/ray_camera.hpp"
#include "core/image/region.hpp"
#include "render/image_quad.hpp"
#include "render/mip_slices.hpp"

class vtkRenderer;

namespace aprscope {

/// Slices of a volume as rectangles in a scene, in the coordinates of RayCamera.
class SlicesInSpace {
 public:
  explicit SlicesInSpace(vtkRenderer& renderer);

  void set_shape(const Size3& size, const VoxelSize& voxel);
  void set_shown(bool shown);
  [[nodiscard]] bool shown() const { return shown_; }
  void set(Axis axis, std::int64_t index, ColouredSlice slice);
  /// Cuts slices to a box; none: they are whole.
  void set_only(const std::optional<Region>& only);
  /// Puts the rectangles where they belong, `pixel`: edge of a pixel of the screen in the volume.
  void place(double pixel);
  /// The pixel of the nearest slice that a ray meets: through a point to the right and up of the
  /// middle of the picture, in heights of it.
  [[nodiscard]] std::optional<Index3> met(const RayCamera& camera, double u, double v) const;

 private:
  struct Slice {
    std::unique_ptr<ImageQuad> quad;
    std::int64_t index = 0;
    ColouredSlice picture;
    bool stale = true;
  };
  void place(Axis axis, Slice& slice, double pixel) const;
  [[nodiscard]] bool drawn(Axis axis, const Slice& slice) const;
  [[nodiscard]] Region seen() const;

  vtkRenderer& renderer_;
  std::array<Slice, 3> slices_;
  Size3 size_{0, 0, 0};
  VoxelSize voxel_;
  std::optional<Region> only_;
  bool shown_ = false;
};

}  // namespace aprscope
