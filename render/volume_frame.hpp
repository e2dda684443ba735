#pragma once

#include <array>
#include <optional>

#include <vtkNew.h>

#include "core/image/region.hpp"
#include "render/view_theme.hpp"

class vtkActor;
class vtkPolyData;
class vtkRenderer;

namespace aprscope {

/// The box around a volume, the outlines of the three slices in it, and that of a part of it. World
/// coordinates are (y·dy, x·dx, z·dz), as those of RayCamera.
class VolumeFrame {
 public:
  explicit VolumeFrame(vtkRenderer* renderer);
  ~VolumeFrame();
  VolumeFrame(const VolumeFrame&) = delete;
  VolumeFrame& operator=(const VolumeFrame&) = delete;

  void set_shape(const Size3& size, const VoxelSize& voxel);
  void set_crosshair(const Index3& position);
  /// The part whose outline is drawn, in pixels; none: none is.
  void set_part(const std::optional<Region>& part);
  void set_theme(const ViewTheme& theme);
  void set_box_visible(bool visible);
  void set_planes_visible(bool visible);

 private:
  struct Outline {
    vtkNew<vtkPolyData> lines;
    vtkNew<vtkActor> actor;
  };
  void place_planes();
  void place_part();

  vtkRenderer* renderer_;
  Size3 size_{1, 1, 1};
  std::array<double, 3> extent_{1, 1, 1};  // of the volume in world order y, x, z
  std::array<double, 3> spacing_{1, 1, 1};
  Index3 crosshair_{0, 0, 0};
  std::optional<Region> shown_part_;
  Outline box_;
  Outline part_;
  std::array<Outline, 3> planes_;  // perpendicular to z, x, y
};

}  // namespace aprscope
