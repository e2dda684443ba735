#pragma once

#include <cstdint>

#include "core/apr/convert/slice_source.hpp"
#include "core/data/measurement.hpp"
#include "core/operations/schema/operation.hpp"

namespace aprscope {

/// Whether an operation measures images that are read slice by slice.
bool measures_slices(const Operation& operation);

/// Measures on an image that is read slice by slice what the CPU backend measures on the whole;
/// `voxel` replaces the file's. `memory`: bytes of slices that are kept. Errors: reading,
/// parameters, an operation that needs all of the image, too little memory, cancelled.
Result<Measurement> measure_source(const Operation& operation, SliceSource& source,
                                   const VoxelSize& voxel, std::uint64_t memory,
                                   const JobContext& context = {});

}  // namespace aprscope
