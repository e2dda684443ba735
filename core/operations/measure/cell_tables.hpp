#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "core/cells/label_row.hpp"
#include "core/cells/slice_outlines.hpp"
#include "core/data/curve.hpp"
#include "core/data/table.hpp"

namespace aprscope {

/// One row an object, in the order of the rows: every column has its unit in the head; the flags
/// stand beside the volume. `channels`: names of those whose grey values the rows have, as many as
/// these; columns of a single channel omit its name; of several they are mean_dapi, mean_channel_1.
/// `wall_strengths`: see suspicions().
Table cell_table(const std::vector<LabelRow>& rows, const std::vector<std::string>& channels,
                 const Size3& size, const VoxelSize& voxel, const std::array<double, 3>& origin,
                 std::span<const double> wall_strengths = {});

/// One row: number of objects, number of flagged ones, and totals over all objects.
Table total_table(const std::vector<LabelRow>& rows, const Size3& size, const VoxelSize& voxel);

/// One row for each pair of objects that touch.
Table contact_table(const LabelRecords& records, const std::vector<LabelRow>& rows,
                    const Size3& size, const VoxelSize& voxel);

/// One row for each slice of each object.
Table slice_table(const std::vector<SliceOutline>& outlines, const VoxelSize& voxel);

/// How many objects have which volume, in `bins` of equal width.
Curve volume_histogram(const std::vector<LabelRow>& rows, const Size3& size, const VoxelSize& voxel,
                       int bins);

}  // namespace aprscope
