#pragma once

#include <string>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/projections/projections.hpp"

namespace aprscope {

/// Whether a file is, by its content, a STAR file of RELION (up to 3.0, 3.1 to 5), a table of
/// Xmipp (.xmd) or one of NumPy with fields, as cryoSPARC writes them (.cs), whatever its tables
/// are about. False too where it cannot be read.
bool is_projection_table(const std::string& path);

/// Reads the table and the headers of its stacks (MRC, SPIDER); pixels are read later, see
/// ProjectionImages. Names of stacks are looked for from `root` (the project's folder) when one is
/// given, then beside the table, in the folders above it, and in the working directory. Origins in
/// Å become pixels of their optics group. Lesser problems become warnings, unusable rows and stack
/// problems of the table. Errors name the file and the line: not such a table, no column of images,
/// no rows, origins in Å without a pixel size; cancelled.
Result<Projections> open_projections(const std::string& path, const std::string& root = {},
                                     const JobContext& context = {});

}  // namespace aprscope
