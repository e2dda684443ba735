#include "app/gui/compare/compare_profile.hpp"

#include "core/image/plane_axes.hpp"

namespace aprscope::gui {

ProfilePair compare_profiles(const ComparePicture& picture, const PlaneLine& line, int width,
                             const Dataset& a, const Dataset& b) {
  const Axis row = row_axis(picture.axis);
  const Axis col = col_axis(picture.axis);
  ProfileOptions options;
  options.width = width;
  options.row_step = component(a.voxel(), row);
  options.col_step = component(a.voxel(), col);
  ProfilePair out;
  out.a = line_profile(picture.a, line, options);
  options.samples = static_cast<int>(out.a.values.size());
  PlaneLine there = line;
  if (a.size() != b.size()) {
    for (PlanePoint* p : {&there.from, &there.to}) {
      p->row *= options.row_step / component(b.voxel(), row);
      p->col *= options.col_step / component(b.voxel(), col);
    }
    options.row_step = component(b.voxel(), row);
    options.col_step = component(b.voxel(), col);
  }
  out.b = line_profile(picture.b, there, options);
  return out;
}

}  // namespace aprscope::gui
