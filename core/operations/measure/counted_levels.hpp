#pragma once

#include <vector>

#include "core/apr/convert/slice_source.hpp"
#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/dataset/dataset.hpp"
#include "core/topology/components.hpp"
#include "core/topology/level_places.hpp"
#include "core/topology/strata.hpp"

namespace aprscope {

/// Values of data in the order in which they enter, see LevelPlaces, and how many strata enter with
/// each.
struct CountedLevels {
  StrataCounts counts;
  std::vector<double> levels;
  /// Levels are evenly spaced, or were given, instead of the values that occur.
  bool even = false;
  bool given = false;
};

/// The levels of the values of an image or of particles. Errors: NaN, too little memory for curves
/// of so many, cancelled. Throws std::bad_alloc.
Result<LevelPlaces> places_of(const Dataset& input, LevelSets sets, const LevelChoice& choice,
                              const JobContext& context);

/// Strata at these levels, of an image, or natively of particles, on the CPU. Errors: cancelled.
/// Throws std::bad_alloc.
Result<StrataCounts> count_strata(const Dataset& input, const LevelPlaces& places,
                                  Construction construction, const JobContext& context);

/// Pieces at these levels, likewise, and the `lives` of them that last longest. Errors: also more
/// pixels than can be told apart, and more than 65536 levels.
Result<Components> find_components(const Dataset& input, const LevelPlaces& places,
                                   Construction construction, std::size_t lives,
                                   const JobContext& context);

/// Levels and strata. Errors and throws: as both.
Result<CountedLevels> count_levels(const Dataset& input, LevelSets sets, Construction construction,
                                   const LevelChoice& choice, const JobContext& context);

/// Of an image that is read slice by slice: once, u8 and u16 unless evenly spaced levels are
/// wanted, else twice. `memory`: bytes of slices. Errors: as count_levels(), and those of reading.
/// Throws std::bad_alloc.
Result<CountedLevels> count_levels(SliceSource& source, LevelSets sets, Construction construction,
                                   const LevelChoice& choice, std::uint64_t memory,
                                   const JobContext& context);

/// Values alone, and of how many pixels each is that of.
struct ValueCounts {
  std::vector<double> levels;
  std::vector<std::int64_t> pixels;
};

/// The same levels, in the same order, as count_levels() has with LevelChoice(). Errors and throws:
/// as that.
Result<ValueCounts> count_values(const Dataset& input, LevelSets sets, const JobContext& context);

/// Errors: values that are no finite numbers. Values may be larger than those that filters compute
/// with.
Status check_numbers(const Dataset& input);
/// Errors: NaN, which has no place among values; infinities have.
Status check_order(const Dataset& input);

/// Bytes that count_levels() / find_components() takes beyond its input.
std::uint64_t counting_bytes(const Dataset& input);
std::uint64_t component_bytes(const Dataset& input, bool lives);

}  // namespace aprscope
