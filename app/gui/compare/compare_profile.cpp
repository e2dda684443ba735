#include "app/gui/compare/compare_profile.hpp"

namespace aprscope::gui {

Axis row_of(Axis axis) { return axis == Axis::z ? Axis::x : Axis::z; }
Axis col_of(Axis axis) { return axis == Axis::y ? Axis::x : Axis::y; }

double step_of(const VoxelSize& voxel, Axis axis) {
  return axis == Axis::z ? voxel.z : axis == Axis::x ? voxel.x : voxel.y;
}

ProfilePair compare_profiles(const ComparePicture& picture, const PlaneLine& line, int width,
                             const Dataset& a, const Dataset& b) {
  const Axis row = row_of(picture.axis);
  const Axis col = col_of(picture.axis);
  ProfileOptions options;
  options.width = width;
  options.row_step = step_of(a.voxel(), row);
  options.col_step = step_of(a.voxel(), col);
  ProfilePair out;
  out.a = line_profile(picture.a, line, options);
  options.samples = static_cast<int>(out.a.values.size());
  PlaneLine there = line;
  if (a.size() != b.size()) {
    for (PlanePoint* p : {&there.from, &there.to}) {
      p->row *= options.row_step / step_of(b.voxel(), row);
      p->col *= options.col_step / step_of(b.voxel(), col);
    }
    options.row_step = step_of(b.voxel(), row);
    options.col_step = step_of(b.voxel(), col);
  }
  out.b = line_profile(picture.b, there, options);
  return out;
}

}  // namespace aprscope::gui
