#pragma once

#include <memory>
#include <vector>

#include "core/apr/convert/pulling_scheme.hpp"
#include "core/apr/structure/access.hpp"
#include "core/apr/structure/bit_grid.hpp"
#include "core/base/job_context.hpp"

namespace aprscope {

/// The union of structures of images of one size: a cell is interior if it is so in any of them, so
/// that everywhere the level is the finest of theirs. Of conversions with the same parameters it is
/// the structure that the pulling scheme gives for the largest of their local levels: a cell is
/// valid there if it is valid for each (Cheeseman et al. 2018, separability). Hence it obeys the
/// neighbour rule as they do. 1/56 byte a pixel.
class StructureUnion {
 public:
  /// Of images of `size` (z, x, y), so far of none. Throws std::bad_alloc.
  explicit StructureUnion(const Size3& size);

  [[nodiscard]] const Size3& size() const { return size_; }
  /// Adds a structure, whose image has this size. Errors: it has another; cancelled.
  Status add(const AprAccess& one, const JobContext& context = {});
  /// Adds the cells that were chosen for an image of this size. Throws std::bad_alloc.
  void add(const CellSet& one);

  /// The cells of the union of what was added; there must be something. Throws std::bad_alloc.
  [[nodiscard]] CellSet cells() const;
  /// The same as a structure. Errors: cancelled. Throws std::bad_alloc.
  [[nodiscard]] Result<std::shared_ptr<const AprAccess>> access(
      const JobContext& context = {}) const;

 private:
  Size3 size_;
  int level_max_;
  // Interior cells of level l at [l], 0 ≤ l < level_max.
  std::vector<BitGrid> interior_;
};

}  // namespace aprscope
