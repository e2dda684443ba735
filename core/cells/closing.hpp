#pragma once

#include <cstdint>

#include "core/cells/exterior.hpp"

namespace aprscope {

/// fill_from_outside() as if holes of the membrane of less than twice `radius` (in the unit of
/// `voxel`) were closed, and without making anything thicker: with D the distance to the membrane
/// on an image padded by more than the radius, E = what of {D > radius} is connected to the
/// outside; exterior is what is no farther than the radius from E and no membrane. Too large a
/// radius closes a cell's own mouth. Errors: cancelled, a radius that the image has no room for.
/// Throws std::bad_alloc.
Result<CellParts> close_and_fill(const Pixels<std::uint8_t>& membrane, const VoxelSize& voxel,
                                 double radius, Connectivity connectivity,
                                 const JobContext& context = {});

/// The same of each z slice by itself.
Result<CellParts> close_and_fill_slices(const Pixels<std::uint8_t>& membrane,
                                        const VoxelSize& voxel, double radius,
                                        Connectivity connectivity, const JobContext& context = {});

/// Bytes that close_and_fill() takes beyond its input.
std::uint64_t closing_bytes(const Size3& size, const VoxelSize& voxel, double radius);

}  // namespace aprscope
