#pragma once

#include <string>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/io/projections/star_table.hpp"
#include "core/projections/projection_table.hpp"

// Private to core/io: what the columns of RELION and Xmipp mean.

namespace aprscope {

/// A table before its stacks are looked at: table.stacks are names as the file has them, and shifts
/// are in Å where table.shifts_in_angstrom says so.
struct ProjectionRows {
  ProjectionTable table;
  /// Pixels, one for each optics group; 0: the table does not say.
  std::vector<std::int64_t> sides;
};

/// Reads the columns. Errors name the file: no column of images, no rows, groups of optics that
/// cannot be told; cancelled.
Result<ProjectionRows> read_projection_rows(const StarFile& file, const JobContext& context);

/// A value that need not be finite; none: it is no number at all.
std::optional<double> star_number(std::string_view text);

}  // namespace aprscope
