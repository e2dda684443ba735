#pragma once

#include <cstdint>

#include "core/io/apr/apr_slabs.hpp"
#include "core/operations/measure/counted_levels.hpp"

namespace aprscope {

/// count_levels() of the particles of a file that is read slab by slab, in about `memory` bytes (in
/// up to half of what is free, where even thin slabs take more): values first, then structure and
/// values. Errors: as those of particles in memory, those of reading, too little memory. Throws
/// std::bad_alloc.
Result<CountedLevels> count_levels(AprFileSlabs& file, LevelSets sets, Construction construction,
                                   const LevelChoice& choice, std::uint64_t memory,
                                   const JobContext& context);

}  // namespace aprscope
