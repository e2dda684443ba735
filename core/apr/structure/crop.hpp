#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/apr/structure/apr.hpp"
#include "core/apr/structure/linear_access.hpp"
#include "core/base/job_context.hpp"
#include "core/image/region.hpp"

namespace aprscope {

/// Checks a box for an image of this size. Errors: it is empty or reaches out of the image.
Status check_box(const Size3& size, const Region& box);

/// Rows of cells of one level: rows [x0, x1) of its planes from z0 on, all that a box touches at
/// least.
struct CropRows {
  int level = 0;
  std::int64_t z0 = 0;
  std::int64_t x0 = 0;
  std::int64_t x1 = 0;
  /// Where row (z0, x0) begins, then where each row ends, counted from any start.
  std::span<const std::uint64_t> ends;
  /// y of the cells in these rows; what the box does not touch may be missing.
  std::span<const std::uint16_t> y;
};

/// The cells of a level that a box of pixels touches.
Region touched_cells(const Region& box, int level_max, int level);

/// The cells of a box of pixels as a structure of its own, with its own finest level.
struct CroppedCells {
  LinearAccess cells;
  /// The cell that each of them lies in, counted through the rows that were given.
  std::vector<std::uint64_t> from;
};

/// Cuts a box of pixels out of an APR of `size` and `level_max`. A cell whose place in the new grid
/// begins at a multiple of its side stays as it is, but for what the box cuts off; another one
/// becomes the fewest cells of that grid that lie in it, so that each pixel keeps the particle that
/// it had. Which cells stay whole depends on the first pixel of the box: those of at most the
/// largest power of two that divides it in each dimension. Errors: a box that is empty or reaches
/// out of the image, rows that do not fit their level or are damaged, not enough memory, cancelled.
/// Throws std::bad_alloc.
Result<CroppedCells> crop_cells(const Size3& size, int level_max, const Region& box,
                                std::span<const CropRows> rows, const JobContext& context = {});

/// Values of new cells from those of the cells that they lie in: values[from[i]].
FieldValues values_of(const FieldValues& values, std::span<const std::uint64_t> from);

/// The APR of a box of pixels, see crop_cells(), with all fields and labels. What was known of
/// labels beside their pixels, and fields of the tree, are those of the whole and left out. Errors:
/// a box that is empty or reaches out of the image, not enough memory, cancelled.
Result<Apr> crop(const Apr& apr, const Region& box, const JobContext& context = {});

}  // namespace aprscope
