#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/cells/label_row.hpp"

namespace aprscope {

/// What readers of a table of cells must know, in sentences without full stop: units that are
/// missing, a background among the cells, cells that are missing since they leak (`open`), volumes
/// that are not to be trusted or were not checked, numbers that wrapped.
std::vector<std::string> cell_notes(const std::vector<LabelRow>& rows,
                                    std::span<const OpenCell> open, const Size3& size,
                                    const VoxelSize& voxel);

}  // namespace aprscope
