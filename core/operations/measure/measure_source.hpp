#pragma once

#include <cstdint>

#include "core/apr/convert/slice_source.hpp"
#include "core/data/measurement.hpp"
#include "core/io/apr/apr_slabs.hpp"
#include "core/operations/engine/part_memory.hpp"
#include "core/operations/schema/operation.hpp"

namespace aprscope {

/// Whether an operation measures images that are read slice by slice.
bool measures_slices(const Operation& operation);

/// Whether an operation measures particles that are read some planes at a time.
bool measures_files(const Operation& operation);

/// Whether the parameters allow either.
bool measures_parts(const Operation& operation);

/// Measures on particles that are read some planes at a time what the CPU backend measures on all
/// of them. `memory`: bytes of what is read that are kept. Errors: as measure_source().
Result<Measurement> measure_file(const Operation& operation, AprFileSlabs& file,
                                 const PartMemory& memory, const JobContext& context = {});

/// Measures on an image that is read slice by slice what the CPU backend measures on the whole;
/// `voxel` replaces the file's. `memory`: bytes of slices that are kept. Errors: reading,
/// parameters, an operation that needs all of the image, too little memory, cancelled.
Result<Measurement> measure_source(const Operation& operation, SliceSource& source,
                                   const VoxelSize& voxel, std::uint64_t memory,
                                   const JobContext& context = {});

}  // namespace aprscope
