#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/data/curve.hpp"
#include "core/data/table.hpp"
#include "core/image/volume.hpp"
#include "core/topology/betti_curves.hpp"
#include "core/topology/topology_curves.hpp"

namespace aprscope {

/// The curves as columns, in rising order of thresholds.
Table topology_table(const TopologyCurves& curves, const VoxelSize& voxel);

/// A column of a table as a curve. Of more than 65536 points lowest and highest of each stretch.
Curve topology_curve(const Table& table, const std::string& id, std::vector<CurveMark> marks,
                     const CurveThreshold& threshold);

/// Adds columns of counts per volume of the image, of the share of it and of the surface per volume
/// (of flat images per area), in mm where the unit is a length. Returns their ids.
std::vector<std::string> add_densities(Table& table, const Size3& size, const VoxelSize& voxel);

/// Adds the columns b0, b1 (and, of a volume, b2) behind the column `after`; `turned`: in the
/// opposite order of levels. Returns their ids.
std::vector<std::string> add_betti(Table& table, const std::string& after, BettiCurves betti,
                                   bool turned);

/// One row that summarises a curve, to compare files: extremes of the Euler characteristic and
/// where they are first met from the values that enter first, changes of its sign, and the
/// thresholds that are suggested.
Table summary_table(const TopologyCurves& curves, const Size3& size,
                    const std::optional<double>& plateau, const std::optional<double>& otsu);

/// A row for each life that begins at a threshold: birth, death and their difference as values, the
/// pixel where it began (and that in the unit of the voxel, where it has one, from `origin`), and
/// its size. `levels`: one a place; a life that never ends has no death.
Table persistence_table(const std::vector<ComponentLife>& lives, std::span<const double> levels,
                        const Size3& size, const VoxelSize& voxel,
                        const std::array<double, 3>& origin);

}  // namespace aprscope
