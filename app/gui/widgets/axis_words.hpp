#pragma once

#include <QString>

#include "core/image/volume.hpp"

namespace aprscope::gui {

/// How positions name the two directions in a slice. In APR files, recipes and the command line
/// rows are x and columns y; in most microscopy programs x is to the right and y down. Arrows
/// beside the letters show the convention.
enum class AxisWords { rows_are_x, columns_are_x };

/// A position as text, "x ↓ 21  y → 61  z 11" or "x → 61  y ↓ 21  z 11": always in the order x, y,
/// z, counted from 1 as slices, channels and time points are.
QString position_words(const Index3& position, AxisWords words);

/// The same position in the unit of the voxels, from the middle of the first voxel: "x 10.00  y
/// 30.00  z 20.00 µm"; empty if voxels have no size.
QString place_words(const Index3& position, const VoxelSize& voxel, AxisWords words);

}  // namespace aprscope::gui
