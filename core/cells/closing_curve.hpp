#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/cells/closing.hpp"

namespace aprscope {

/// What filling from outside comes to when holes of the membrane are closed up to a radius.
struct ClosedCells {
  /// In the unit of the voxel size.
  double radius = 0.0;
  /// Pixels that are not exterior, and those of them that are no membrane either.
  std::int64_t pixels = 0;
  std::int64_t enclosed = 0;
  /// Objects (see label_objects()) that enclose something.
  std::int64_t cells = 0;
  friend bool operator==(const ClosedCells&, const ClosedCells&) = default;
};

/// close_and_fill() with each of these radii, in their order. Errors: as there. Throws
/// std::bad_alloc.
Result<std::vector<ClosedCells>> closing_curve(const Pixels<std::uint8_t>& membrane,
                                               const VoxelSize& voxel,
                                               std::span<const double> radii,
                                               Connectivity connectivity,
                                               const JobContext& context = {});

/// Where the longest stretch begins in which what is enclosed stays the same to a hundredth from
/// each radius to the next (of several the first), as its place in the curve. Stretches over which
/// the radius grows by less than `least` are none: within a pixel nothing can change. None: it
/// changes everywhere, or nothing is enclosed.
std::optional<std::size_t> start_of_plateau(std::span<const ClosedCells> curve, double least);

}  // namespace aprscope
