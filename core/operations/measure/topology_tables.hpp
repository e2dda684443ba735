#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "core/data/table.hpp"
#include "core/image/volume.hpp"
#include "core/topology/betti_curves.hpp"

namespace aprscope {

/// Adds the columns b0, b1 (and, of a volume, b2) behind the column `after`; `turned`: in the
/// opposite order of levels. Returns their ids.
std::vector<std::string> add_betti(Table& table, const std::string& after, BettiCurves betti,
                                   bool turned);

/// A row for each life: birth, death and their difference as values, the pixel where it began (and
/// that in the unit of the voxel, where it has one, from `origin`), and its size. `levels`: one a
/// place.
Table persistence_table(const std::vector<ComponentLife>& lives, std::span<const double> levels,
                        const Size3& size, const VoxelSize& voxel,
                        const std::array<double, 3>& origin);

}  // namespace aprscope
