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

/// Cells of a level in several slices, one behind the other, and the box of pixels of the full
/// image that they cover; it may end behind the image.
struct FileSlices {
  Volume cells;
  Region box;
};

/// The cells of `level` that a box of pixels of the full image touches. Only the needed part of the
/// file is read. None: the file has no tree, which levels below the finest need, or is no file of
/// particles. Errors: those of load_apr_file_part().
Result<std::optional<FileSlices>> slices_of_file(const SourceInfo& info,
                                                 const SourceSelection& selection, int level,
                                                 const Region& box, const JobContext& context = {});

/// The slice perpendicular to `axis` that has this number among all slices of cells of the level;
/// none: it is not among them.
std::optional<FileSlice> slice_of(const FileSlices& slices, Axis axis, std::int64_t number);

/// slices_of_file() of the slice perpendicular to `axis` that a box begins in.
Result<std::optional<FileSlice>> slice_of_file(const SourceInfo& info,
                                               const SourceSelection& selection, int level,
                                               Axis axis, const Region& box,
                                               const JobContext& context = {});

}  // namespace aprscope
