#pragma once

#include <cstdint>
#include <vector>

#include "core/apr/structure/apr.hpp"
#include "core/base/job_context.hpp"

// Private to core/io: the older random-access layout of .apr files.

namespace aprscope {

/// The arrays of the random-access layout, as stored. One entry for each non-empty row (level, z,
/// x), in this order; at the finest level a row stands for its (up to) 2×2 child rows in z and x,
/// which all have the same y.
struct RandomAccessMaps {
  std::vector<std::uint8_t> level;
  std::vector<std::uint16_t> z;
  std::vector<std::uint16_t> x;
  /// Runs of consecutive y in the row.
  std::vector<std::uint16_t> run_count;
  /// First difference of the particle index at the end of the row, modulo 2^16.
  std::vector<std::uint16_t> end_difference;
  /// First and last y of each run.
  std::vector<std::uint16_t> y_begin;
  std::vector<std::uint16_t> y_end;
};

/// The child rows of one row of the finest level.
struct FinestRowGroup {
  /// First particle of the group when its child rows are stored one after the other.
  std::uint64_t begin = 0;
  /// Number of particles of a child row.
  std::uint64_t count = 0;
  /// Row (z, x) of the halved grid.
  std::uint32_t z = 0;
  std::uint32_t x = 0;
};

/// The same structure in the linear layout.
struct LinearFromRandom {
  std::vector<std::uint16_t> y;
  std::vector<std::uint64_t> xz_end;
  std::vector<FinestRowGroup> finest;
};

/// Converts to the linear layout; `particles` is the count that the file states. Every number is
/// checked, and that the cells cover the image's pixels exactly once in number, before memory for
/// the result is taken. Errors: what is damaged, cancelled.
Result<LinearFromRandom> linear_from_random(const Size3& size, int level_max,
                                            const RandomAccessMaps& maps, std::uint64_t particles,
                                            const JobContext& context = {});

/// Brings values into linear order: in files without attribute lzxy_order the child rows of a
/// finest row follow each other. Errors: cancelled.
Status reorder_finest(const Size3& size, int level_max, const LinearFromRandom& structure,
                      FieldValues& values, const JobContext& context = {});

}  // namespace aprscope
