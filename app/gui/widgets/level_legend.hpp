#pragma once

#include <vector>

#include "core/apr/structure/access.hpp"
#include "core/image/colormap.hpp"
#include "render/slice_view.hpp"

namespace aprscope::gui {

/// The contrast and colour map of a level map: one colour for each level in use.
Contrast level_contrast(const AprAccess& access);
inline constexpr const char* kLevelColors = "levels";

/// The legend of a level map, finest level first: the level, and the side of its particles in
/// pixels and, if the voxel size is known, in its unit (z × x × y if they differ).
std::vector<LegendEntry> level_legend(const AprAccess& access, const VoxelSize& voxel);

}  // namespace aprscope::gui
