#pragma once

#include <QString>
#include <array>

#include "core/image/volume.hpp"

namespace aprscope {

/// The name of the plane perpendicular to an axis: always "xy", "yz" or "xz", whether rows are x
/// and columns y or the other way round.
QString plane_name(Axis axis, bool columns_are_x);

/// Where a slice lies, counted from 1, the longest words first: "z 29 of 57 · 110 µm", "z 29 of
/// 57", "z 29". Without a voxel size the first two are the same.
std::array<QString, 3> slice_words(Axis axis, std::int64_t index, const Size3& size,
                                   const VoxelSize& voxel, bool columns_are_x);

}  // namespace aprscope
