#pragma once

#include <cstdint>

#include "core/apr/convert/slice_source.hpp"
#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/topology/level_places.hpp"
#include "core/topology/strata.hpp"

namespace aprscope {

/// The levels of an image that is read slice by slice, as LevelPlaces::of() finds them; for u8 and
/// u16 all possible values, without reading the image, unless evenly spaced levels are wanted.
/// Errors: reading, NaN, cancelled. Throws std::bad_alloc.
Result<LevelPlaces> levels_of_slices(SliceSource& source, LevelSets sets, const LevelChoice& choice,
                                     const JobContext& context = {});

/// Counts the strata of an image that is read slice by slice, once: slabs of slices, with one more
/// on each side, while the next slab is being read. Equal for any `memory` (bytes for slices; six
/// of them is the least) and any number of threads. Errors: reading, cancelled. Throws
/// std::bad_alloc.
Result<StrataCounts> count_strata(SliceSource& source, const LevelPlaces& places,
                                  Construction construction, std::uint64_t memory,
                                  const JobContext& context = {});

}  // namespace aprscope
