#pragma once

#include "app/gui/compare/compare_feed.hpp"
#include "core/image/profile.hpp"

namespace aprscope::gui {

/// The dimensions along the rows and columns of slices perpendicular to an axis.
Axis row_of(Axis axis);
Axis col_of(Axis axis);
/// The extent of a voxel along an axis.
double step_of(const VoxelSize& voxel, Axis axis);

/// The profiles of both sides of a comparison along one line.
struct ProfilePair {
  LineProfile a;
  LineProfile b;
};

/// `line` is in pixels of A; in B it runs through the same pixels where both have one size, else
/// through the same physical places. Both profiles have as many samples. `width`: see
/// ProfileOptions.
ProfilePair compare_profiles(const ComparePicture& picture, const PlaneLine& line, int width,
                             const Dataset& a, const Dataset& b);

}  // namespace aprscope::gui
