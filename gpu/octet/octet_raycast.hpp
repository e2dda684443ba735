#pragma once

#include <optional>

#include "core/apr/raycast/raycast.hpp"
#include "gpu/octet/octet_apr.hpp"

namespace aprscope::gpu {

/// A camera as the kernel needs it: pixel (row, col) of the picture, rays in pixel coordinates of
/// the volume. World order is y, x, z.
struct RayView {
  double eye[3];
  double right[3];
  double up[3];
  double forward[3];
  double steps[3];
  double pixel = 1.0;
  double left = 0.0;
  double top = 0.0;
  /// What is seen, from pixel `low` to before `high`.
  Int3 low;
  Int3 high;
  bool perspective = false;
  int width = 0;
  int height = 0;
  int finest_level = 1;
};

/// Maximum intensity projection of particles on the device, the same picture as MipRaycaster's.
class OctetRaycaster {
 public:
  /// Copies `values`, and fills interior cells of the copy with maxima.
  OctetRaycaster(const OctetApr& apr, const OctetValues& values, const VoxelSize& voxel);

  /// Renders a picture and copies it to the host; `finest_level` as in MipRaycaster::render().
  [[nodiscard]] RayImage render(const RayCamera& camera, int width, int height,
                                int finest_level) const;
  /// The same of MipRaycaster::translucent(), equal but for rounding.
  [[nodiscard]] RayImage translucent(const RayCamera& camera, int width, int height,
                                     const Translucency& translucency) const;

 private:
  [[nodiscard]] RayImage picture(const RayView& view,
                                 const std::optional<detail::RayMatter>& matter) const;
  [[nodiscard]] RayView view(const RayCamera& camera, int width, int height,
                             int finest_level) const;

  const OctetApr& apr_;
  OctetValues maxima_;
  VoxelSize voxel_;
};

/// The kernel of OctetRaycaster: enqueues a picture into `image` (height × width, on the device);
/// NaN as in RayImage. `matter`: none for the projection.
void cast_rays(const OctetView& v, const float* maxima, const RayView& view,
               const std::optional<detail::RayMatter>& matter, float* image, cudaStream_t stream);

}  // namespace aprscope::gpu
