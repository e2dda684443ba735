#pragma once

#include <QString>

#include "core/image/volume.hpp"

namespace aprscope::gui {

/// What positions call the two directions in a slice. APR files, recipes and the command line count
/// rows as x and columns as y; most programs for microscopy have x to the right and y down. Arrows
/// beside the letters say which it is.
enum class AxisWords { rows_are_x, columns_are_x };

/// "x ↓ 21  y → 61  z 11", or "x → 61  y ↓ 21  z 11": always x, y, z, and counted from 1, as
/// slices, channels and time points are.
QString position_words(const Index3& position, AxisWords words);

/// The same place in the unit of the voxels, from the middle of the first one: "x 10.00  y 30.00
/// z 20.00 µm"; empty where voxels have no size.
QString place_words(const Index3& position, const VoxelSize& voxel, AxisWords words);

}  // namespace aprscope::gui
