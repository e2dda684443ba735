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
  /// Side of the images in pixels for each optics group; 0: the table does not say.
  std::vector<std::int64_t> sides;
};

/// Reads the columns of a table. Errors name the file: no column of images, no rows, unknown optics
/// groups; cancelled.
Result<ProjectionRows> read_projection_rows(const StarFile& file, const JobContext& context);

}  // namespace aprscope
