#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/cells/closing.hpp"

namespace aprscope {

/// Result of filling from outside when holes of the membrane are closed up to a radius.
struct ClosedCells {
  /// Radius of the closing, in the unit of the voxel size.
  double radius = 0.0;
  /// Pixels that are not exterior, and those of them that are no membrane either.
  std::int64_t pixels = 0;
  std::int64_t enclosed = 0;
  /// Objects (see label_objects()) that enclose something.
  std::int64_t cells = 0;
  friend bool operator==(const ClosedCells&, const ClosedCells&) = default;
};

/// close_and_fill() with each of `radii`, in their order. Errors: as close_and_fill(). Throws
/// std::bad_alloc.
Result<std::vector<ClosedCells>> closing_curve(const Pixels<std::uint8_t>& membrane,
                                               const VoxelSize& voxel,
                                               std::span<const double> radii,
                                               Connectivity connectivity,
                                               const JobContext& context = {});

/// Index in the curve at which its longest plateau begins (of several the first): a stretch in
/// which the enclosed volume changes by at most a hundredth from each radius to the next. It must
/// span at least `least`, since within a pixel nothing can change. None: no plateau, or nothing is
/// enclosed.
std::optional<std::size_t> start_of_plateau(std::span<const ClosedCells> curve, double least);

}  // namespace aprscope
