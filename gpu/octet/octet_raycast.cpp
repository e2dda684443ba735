#include "gpu/octet/octet_raycast.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace aprscope::gpu {

OctetRaycaster::OctetRaycaster(const OctetApr& apr, const OctetValues& values,
                               const VoxelSize& voxel)
    : apr_(apr), maxima_(apr.make_values()), voxel_(voxel) {
  ensure(cudaMemcpyAsync(maxima_.data(), values.data(), values.bytes(), cudaMemcpyDeviceToDevice,
                         apr.device().main()),
         "copying particles");
  apr.fill_tree(maxima_, Reduction::max);
}

RayView OctetRaycaster::view(const RayCamera& camera, int width, int height,
                             int finest_level) const {
  RayView v{};
  const auto sane = [](double d) { return std::isfinite(d) && d > 0.0 ? d : 1.0; };
  const double steps[3] = {sane(voxel_.y), sane(voxel_.x), sane(voxel_.z)};
  for (std::size_t a = 0; a < 3; ++a) {
    v.eye[a] = camera.eye[a];
    v.right[a] = camera.right[a];
    v.up[a] = camera.up[a];
    v.forward[a] = camera.forward[a];
    v.steps[a] = steps[a];
  }
  const double half_angle = 0.5 * (camera.view_angle_degrees * std::numbers::pi / 180.0);
  const double tall = camera.perspective ? 2.0 * std::tan(half_angle) : camera.height_world;
  v.pixel = tall / height;
  v.left = 0.5 * width;
  v.top = 0.5 * height;
  v.low = {0, 0, 0};
  v.high = apr_.view().levels[apr_.view().level_max].cells;
  if (camera.only) {
    const auto inside = [](std::int64_t at, int from, int to) {
      return static_cast<int>(std::clamp<std::int64_t>(at, from, to));
    };
    const auto& [begin, end] = *camera.only;
    const Int3 size = v.high;
    v.low = {inside(begin.z, 0, size.z), inside(begin.x, 0, size.x), inside(begin.y, 0, size.y)};
    v.high = {inside(end.z, v.low.z, size.z), inside(end.x, v.low.x, size.x),
              inside(end.y, v.low.y, size.y)};
  }
  v.perspective = camera.perspective;
  v.width = width;
  v.height = height;
  v.finest_level = std::clamp(finest_level, 1, apr_.view().level_max);
  return v;
}

RayImage OctetRaycaster::render(const RayCamera& camera, int width, int height,
                                int finest_level) const {
  return picture(view(camera, width, height, finest_level), {});
}

RayImage OctetRaycaster::translucent(const RayCamera& camera, int width, int height,
                                     const Translucency& translucency) const {
  return picture(view(camera, width, height, apr_.view().level_max),
                 detail::matter_of(translucency));
}

RayImage OctetRaycaster::picture(const RayView& view,
                                 const std::optional<detail::RayMatter>& matter) const {
  RayImage image;
  image.width = view.width;
  image.height = view.height;
  image.values.resize(static_cast<std::size_t>(view.width) * static_cast<std::size_t>(view.height));
  const DeviceBuffer<float> pixels(image.values.size(), "picture", apr_.device().main());
  cast_rays(apr_.view(), maxima_.data(), view, matter, pixels.data(), apr_.device().main());
  apr_.device().download(pixels.data(), image.values.data(), pixels.bytes());
  return image;
}

}  // namespace aprscope::gpu
