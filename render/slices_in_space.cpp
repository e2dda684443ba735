#include "render/slices_in_space.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "render/plane_geometry.hpp"

namespace aprscope {
namespace {

using Vec = std::array<double, 3>;

constexpr std::array<Axis, 3> kSlicedAxes{Axis::z, Axis::x, Axis::y};

// The dimension of world coordinates that an axis runs along.
std::size_t world_dimension(Axis axis) { return axis == Axis::y ? 0 : axis == Axis::x ? 1 : 2; }

// Rows and columns [row0, row1) × [col0, col1) of a picture.
std::vector<std::uint8_t> part_of_picture(const ColouredSlice& from, std::int64_t row0,
                                          std::int64_t row1, std::int64_t col0, std::int64_t col1) {
  if (row0 == 0 && col0 == 0 && row1 == from.rows && col1 == from.cols) return from.rgba;
  const std::int64_t bytes = (col1 - col0) * 4;
  std::vector<std::uint8_t> out(static_cast<std::size_t>((row1 - row0) * bytes));
  for (std::int64_t row = row0; row < row1; ++row) {
    std::memcpy(out.data() + (row - row0) * bytes, from.rgba.data() + (row * from.cols + col0) * 4,
                static_cast<std::size_t>(bytes));
  }
  return out;
}

}  // namespace

SlicesInSpace::SlicesInSpace(vtkRenderer& renderer) : renderer_(renderer) {}

void SlicesInSpace::set_shape(const Size3& size, const VoxelSize& voxel) {
  size_ = size;
  voxel_ = voxel;
  for (Slice& slice : slices_) slice.stale = true;
}

void SlicesInSpace::set_shown(bool shown) {
  shown_ = shown;
  for (Slice& slice : slices_) {
    slice.stale = true;
    // Memory that nobody looks at.
    if (!shown) slice = {};
  }
}

void SlicesInSpace::set(Axis axis, std::int64_t index, ColouredSlice picture) {
  Slice& slice = slices_[static_cast<std::size_t>(axis)];
  slice.index = index;
  slice.picture = std::move(picture);
  slice.stale = true;
}

void SlicesInSpace::set_only(const std::optional<Region>& only) {
  only_ = only;
  for (Slice& slice : slices_) slice.stale = true;
}

Region SlicesInSpace::seen() const {
  Region out = whole(size_);
  if (!only_) return out;
  for (const Axis axis : kSlicedAxes) {
    std::int64_t& begin = component(out.begin, axis);
    std::int64_t& end = component(out.end, axis);
    begin = std::clamp(component(only_->begin, axis), begin, end);
    end = std::clamp(component(only_->end, axis), begin, end);
  }
  return out;
}

bool SlicesInSpace::drawn(Axis axis, const Slice& slice) const {
  const PlaneGeometry plane(axis, size_, voxel_);
  const Region box = seen();
  return shown_ && !slice.picture.rgba.empty() && slice.picture.rows == plane.rows &&
         slice.picture.cols == plane.cols && box.size().count() > 0 &&
         slice.index >= component(box.begin, axis) && slice.index < component(box.end, axis);
}

void SlicesInSpace::place(double pixel) {
  for (const Axis axis : kSlicedAxes) place(axis, slices_[static_cast<std::size_t>(axis)], pixel);
}

void SlicesInSpace::place(Axis axis, Slice& slice, double pixel) const {
  if (!drawn(axis, slice)) {
    if (slice.quad) slice.quad->set_visible(false);
    return;
  }
  const PlaneGeometry plane(axis, size_, voxel_);
  if (!slice.quad) slice.quad = std::make_unique<ImageQuad>(renderer_);
  slice.quad->set_smooth(pixel > std::min(plane.row_size, plane.col_size));
  if (!std::exchange(slice.stale, false)) return;
  const Region box = seen();
  const std::int64_t row0 = component(box.begin, plane.row_axis);
  const std::int64_t row1 = component(box.end, plane.row_axis);
  const std::int64_t col0 = component(box.begin, plane.col_axis);
  const std::int64_t col1 = component(box.end, plane.col_axis);
  Vec origin{}, along_cols{}, along_rows{};
  origin[world_dimension(axis)] = (static_cast<double>(slice.index) + 0.5) * plane.thickness;
  origin[world_dimension(plane.row_axis)] = static_cast<double>(row0) * plane.row_size;
  origin[world_dimension(plane.col_axis)] = static_cast<double>(col0) * plane.col_size;
  along_rows[world_dimension(plane.row_axis)] = static_cast<double>(row1 - row0) * plane.row_size;
  along_cols[world_dimension(plane.col_axis)] = static_cast<double>(col1 - col0) * plane.col_size;
  slice.quad->set_corners(origin, along_cols, along_rows);
  slice.quad->set_image(part_of_picture(slice.picture, row0, row1, col0, col1), row1 - row0,
                        col1 - col0);
  slice.quad->set_visible(true);
}

std::optional<Index3> SlicesInSpace::met(const RayCamera& camera, double u, double v) const {
  const double tall = camera.perspective ? 2.0 * std::tan(camera.view_angle_degrees * M_PI / 360.0)
                                         : camera.height_world;
  Vec from = camera.eye;
  Vec along = camera.forward;
  for (std::size_t d = 0; d < 3; ++d) {
    (camera.perspective ? along : from)[d] += tall * (u * camera.right[d] + v * camera.up[d]);
  }
  std::optional<Index3> found;
  double nearest = 0.0;
  for (const Axis axis : kSlicedAxes) {
    const Slice& slice = slices_[static_cast<std::size_t>(axis)];
    const std::size_t across = world_dimension(axis);
    if (!drawn(axis, slice) || along[across] == 0.0) continue;
    const PlaneGeometry plane(axis, size_, voxel_);
    const double at = (static_cast<double>(slice.index) + 0.5) * plane.thickness;
    const double t = (at - from[across]) / along[across];
    if ((camera.perspective && t <= 0.0) || (found && t >= nearest)) continue;
    Index3 p{};
    component(p, axis) = slice.index;
    for (const auto& [other, side] :
         {std::pair{plane.row_axis, plane.row_size}, {plane.col_axis, plane.col_size}}) {
      const double place =
          (from[world_dimension(other)] + t * along[world_dimension(other)]) / side;
      component(p, other) = static_cast<std::int64_t>(std::floor(std::clamp(place, -1e9, 1e9)));
    }
    if (!seen().contains(p)) continue;
    found = p;
    nearest = t;
  }
  return found;
}

}  // namespace aprscope
