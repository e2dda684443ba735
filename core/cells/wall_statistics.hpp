#pragma once

#include <cstdint>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/cells/label_scan.hpp"

namespace aprscope {

/// Grey values on the wall of an object, or between two.
struct WallStatistics {
  /// The two objects, a < b; b is 0 for the wall of `a` alone.
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::int64_t values = 0;
  double mean = 0.0;
  /// Standard deviation of the values (of the population: division by their number).
  double deviation = 0.0;
  /// The lower one of an even number.
  double median = 0.0;
  /// The weakest value and the first pixel (in memory order) that has it.
  double weakest = 0.0;
  Index3 weakest_at{0, 0, 0};
  friend bool operator==(const WallStatistics&, const WallStatistics&) = default;
};

/// The walls of an image whose objects are labelled, in ascending order of (a, b). Values that are
/// not finite are left out.
struct WallTables {
  /// For each object, its pixels that share a face with another object or the background.
  std::vector<WallStatistics> of_objects;
  /// For two objects, pairs of pixels that share a face: the stronger pixel of each pair.
  std::vector<WallStatistics> between;
};

/// Measures walls. `dark`: walls are darker than what they enclose: stronger is darker. Takes 4
/// bytes a value. Equal for any number of threads. Errors: cancelled. Throws std::bad_alloc.
Result<WallTables> wall_statistics(const LabelPixels& labels, const AnyPixels& image, bool dark,
                                   const JobContext& context = {});

}  // namespace aprscope
