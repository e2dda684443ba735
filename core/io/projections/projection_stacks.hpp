#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/regular_file.hpp"
#include "core/base/result.hpp"
#include "core/io/em/em_file.hpp"

// Private to core/io: the stacks of a table of projections.

namespace aprscope {

/// A stack as it was when its header was read.
struct ProjectionStack {
  std::filesystem::path path;
  EmPlanes planes;
  FileState state;
  /// Images that are there in full.
  std::int64_t images = 0;
  /// Pixel size in Å; 0: the header does not say.
  double pixel_size = 0.0;
  /// Why it cannot be read, such as "is not there". Empty if it can.
  std::string problem;
};

/// Finds the files of the table at `table_path` and reads their headers, see open_projections(). A
/// file that is no stack gets a `problem`. Errors: cancelled.
Result<std::vector<ProjectionStack>> open_stacks(const std::vector<std::filesystem::path>& names,
                                                 const std::filesystem::path& table_path,
                                                 const std::filesystem::path& root,
                                                 const JobContext& context);

}  // namespace aprscope
