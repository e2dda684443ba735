#pragma once

#include <vector>

#include "core/apr/structure/access.hpp"
#include "core/image/colormap.hpp"
#include "render/slice_view.hpp"

namespace aprscope::gui {

/// Contrast and colour map of a level map: one colour a level, coarsest to finest that is in use.
Contrast level_contrast(const AprAccess& access);
inline constexpr const char* kLevelColors = "levels";

/// What the colours of a level map say, finest level first: the level and the side of its particles
/// in pixels and, where the size of a pixel is known, in its unit (z × x × y where they differ).
std::vector<LegendEntry> level_legend(const AprAccess& access, const VoxelSize& voxel);

}  // namespace aprscope::gui
