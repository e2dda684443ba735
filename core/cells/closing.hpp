#pragma once

#include <cstdint>

#include "core/cells/exterior.hpp"

namespace aprscope {

/// fill_from_outside() as if holes of the membrane narrower than twice `radius` (in the unit of
/// `voxel`) were closed, without thickening the membrane: with D the distance to the membrane on an
/// image padded by more than the radius, E = the part of {D > radius} connected to the outside;
/// exterior is all that lies within the radius of E and is not membrane. Too large a radius closes
/// a cell's own mouth. Errors: cancelled, a radius that the image has no room for. Throws
/// std::bad_alloc.
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
