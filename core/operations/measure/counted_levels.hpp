#pragma once

#include <string>
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

/// Counts the strata at these levels of an image, or natively of particles, on the CPU. Errors:
/// cancelled. Throws std::bad_alloc.
Result<StrataCounts> count_strata(const Dataset& input, const LevelPlaces& places,
                                  Construction construction, const JobContext& context);

/// Finds the pieces at these levels, likewise, and those `lives` of them that last longest. Errors:
/// also more pixels than can be told apart, and more than 65536 levels.
Result<Components> find_components(const Dataset& input, const LevelPlaces& places,
                                   Construction construction, std::size_t lives,
                                   const JobContext& context);

/// Finds levels and counts strata. Errors and exceptions: those of places_of() and count_strata().
Result<CountedLevels> count_levels(const Dataset& input, LevelSets sets, Construction construction,
                                   const LevelChoice& choice, const JobContext& context);

/// count_levels() of an image that is read slice by slice: once for u8 and u16 unless evenly spaced
/// levels are wanted, else twice. `memory`: bytes of slices. Errors: as count_levels(), and those
/// of reading. Throws std::bad_alloc.
Result<CountedLevels> count_levels(SliceSource& source, LevelSets sets, Construction construction,
                                   const LevelChoice& choice, std::uint64_t memory,
                                   const JobContext& context);

/// Values alone, and of how many pixels each is that of.
struct ValueCounts {
  std::vector<double> levels;
  std::vector<std::int64_t> pixels;
};

/// How often each value occurs; the levels are those of count_levels() with LevelChoice(), in the
/// same order, and so are errors and exceptions.
Result<ValueCounts> count_values(const Dataset& input, LevelSets sets, const JobContext& context);

/// Checks that there is memory for curves of so many levels, which take it by their number: strata,
/// a thread's sums, and the columns twice. Errors: there is not.
Status check_levels(const LevelPlaces& places, const std::string& name);

/// Checks that all values are finite; they may be larger than those that filters compute with.
/// Errors: values that are not.
Status check_numbers(const Dataset& input);
/// Checks that values have an order: NaN is an error, infinities are not.
Status check_order(const Dataset& input);

/// Bytes that count_levels() / find_components() takes beyond its input.
std::uint64_t counting_bytes(const Dataset& input);
std::uint64_t component_bytes(const Dataset& input, bool lives);

}  // namespace aprscope
