#pragma once

#include <cstdint>

#include "core/io/apr/apr_slabs.hpp"
#include "core/operations/engine/part_memory.hpp"
#include "core/operations/measure/counted_levels.hpp"

namespace aprscope {

/// count_levels() of the particles of a file that is read slab by slab, in about `memory`: values
/// first, then structure and values. Errors: as those of particles in memory, those of reading, too
/// little memory. Throws std::bad_alloc.
Result<CountedLevels> count_levels(AprFileSlabs& file, LevelSets sets, Construction construction,
                                   const LevelChoice& choice, const PartMemory& memory,
                                   const JobContext& context);

}  // namespace aprscope
