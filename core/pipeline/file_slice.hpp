#pragma once

#include <optional>

#include "core/apr/structure/linear_access.hpp"
#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/image/region.hpp"
#include "core/io/common/source_info.hpp"

namespace aprscope {

/// Cells of a level in a slice, and the box of pixels of the full image that they cover; it may end
/// behind the image.
struct FileSlice {
  Plane plane;
  Region box;
};

/// The cells of `level` that a box of pixels of the full image touches, in the slice perpendicular
/// to `axis` that the box begins in. Only the needed part of the file is read. None: the file has
/// no tree, which levels below the finest need, or is no file of particles. Errors: those of
/// load_apr_file_part().
Result<std::optional<FileSlice>> slice_of_file(const SourceInfo& info,
                                               const SourceSelection& selection, int level,
                                               Axis axis, const Region& box,
                                               const JobContext& context = {});

}  // namespace aprscope
