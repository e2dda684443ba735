#pragma once

#include <vector>

#include "core/apr/slice_source.hpp"
#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/dataset/dataset.hpp"
#include "core/topology/strata.hpp"

namespace aprscope {

/// Values of data in the order in which they enter, see LevelPlaces, and how many strata enter with
/// each.
struct CountedLevels {
  StrataCounts counts;
  std::vector<double> levels;
  /// Levels are evenly spaced, instead of the values that occur.
  bool even = false;
};

/// Of an image, or natively of particles. `levels`: see LevelPlaces::of(). Errors: values that are
/// no numbers, cancelled. Throws std::bad_alloc.
Result<CountedLevels> count_levels(const Dataset& input, LevelSets sets, Construction construction,
                                   int levels, const JobContext& context);

/// Of an image that is read slice by slice: once, u8 and u16 with `levels` 0, else twice. `memory`:
/// bytes of slices. Errors: as count_levels(), and those of reading. Throws std::bad_alloc.
Result<CountedLevels> count_levels(SliceSource& source, LevelSets sets, Construction construction,
                                   int levels, std::uint64_t memory, const JobContext& context);

/// Values alone, rising, and of how many pixels each is that of.
struct ValueCounts {
  std::vector<double> levels;
  std::vector<std::int64_t> pixels;
};

/// The same levels as count_levels() has with levels = 0. Errors and throws: as that.
Result<ValueCounts> count_values(const Dataset& input, const JobContext& context);

/// Bytes that count_levels() takes beyond its input.
std::uint64_t counting_bytes(const Dataset& input);

}  // namespace aprscope
