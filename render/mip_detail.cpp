#include "render/mip_detail.hpp"

#include <algorithm>
#include <cmath>

#include "core/apr/raycast/seen_box.hpp"

namespace aprscope {

std::shared_ptr<const Raycaster> part_of(const MipDetail& detail, int channel) {
  const auto found = std::find_if(detail.channels.begin(), detail.channels.end(),
                                  [&](const ChannelVolume& one) { return one.channel == channel; });
  return found == detail.channels.end() ? nullptr : found->raycaster;
}

VoxelSize finer_voxel(const VoxelSize& voxel, int finer) {
  VoxelSize out = voxel;
  out.z = std::ldexp(voxel.z, -finer);
  out.x = std::ldexp(voxel.x, -finer);
  out.y = std::ldexp(voxel.y, -finer);
  return out;
}

Size3 finer_size(const Size3& size, int finer) {
  return {size.z << finer, size.x << finer, size.y << finer};
}

RayCamera finer_camera(const RayCamera& camera, int finer) {
  RayCamera out = camera;
  if (!camera.only) return out;
  const auto scaled = [&](const Index3& p) {
    return Index3{p.z << finer, p.x << finer, p.y << finer};
  };
  out.only = Region{scaled(camera.only->begin), scaled(camera.only->end)};
  return out;
}

RayCamera camera_to(const MipDetail& detail, const RayCamera& camera, const VoxelSize& voxel) {
  RayCamera out = finer_camera(camera, detail.finer);
  const VoxelSize side = finer_voxel(voxel, detail.finer);
  const Index3& first = detail.cells.begin;
  out.eye[0] -= static_cast<double>(first.y) * side.y;
  out.eye[1] -= static_cast<double>(first.x) * side.x;
  out.eye[2] -= static_cast<double>(first.z) * side.z;
  if (!out.only) return out;
  const auto moved = [&](const Index3& p) {
    return Index3{p.z - first.z, p.x - first.x, p.y - first.y};
  };
  out.only = Region{moved(out.only->begin), moved(out.only->end)};
  return out;
}

bool covers(const MipDetail& detail, const RayCamera& camera, const Size3& size,
            const VoxelSize& voxel, double aspect) {
  const Size3 cells = finer_size(size, detail.finer);
  const auto seen =
      seen_box(finer_camera(camera, detail.finer), cells, finer_voxel(voxel, detail.finer), aspect);
  if (!seen) return true;
  // The last cells of the volume may lie behind the end of the finer one.
  const std::int64_t slack = (std::int64_t{1} << detail.finer) - 1;
  const auto inside = [&](std::int64_t a, std::int64_t b, std::int64_t from, std::int64_t to,
                          std::int64_t all) { return from <= a && (b <= to || to + slack >= all); };
  const Region& has = detail.cells;
  return inside(seen->begin.z, seen->end.z, has.begin.z, has.end.z, cells.z) &&
         inside(seen->begin.x, seen->end.x, has.begin.x, has.end.x, cells.x) &&
         inside(seen->begin.y, seen->end.y, has.begin.y, has.end.y, cells.y);
}

}  // namespace aprscope
