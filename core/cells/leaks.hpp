#pragma once

#include <cstdint>
#include <vector>

#include "core/cells/exterior.hpp"

namespace aprscope {

/// An opening through which the inside of a membrane meets the outside.
struct Leak {
  /// The pixel where inside and outside meet.
  Index3 at{0, 0, 0};
  /// Distance to the membrane there, in the unit of the voxel size: closing by this closes it.
  double radius = 0.0;
  /// The largest such distance inside.
  double inner_radius = 0.0;
  friend bool operator==(const Leak&, const Leak&) = default;
};

/// The widest opening of each lumen that is open. Pixels that are not membrane enter by falling
/// distance D to it and unite with neighbours that have entered; the set that a maximum of D began
/// meets the outside at the narrowest place of the widest path. A maximum is a lumen if D at that
/// place is at most half of it; else it is a dent or mouth, as is any opening with a radius of more
/// than 16 times the voxel's longest side. The largest inner radius comes first. `parts`: of
/// fill_from_outside() with this connectivity. Errors: cancelled, too many pixels to count in u32.
/// Throws std::bad_alloc.
Result<std::vector<Leak>> find_leaks(const CellParts& parts, const VoxelSize& voxel,
                                     Connectivity membrane, const JobContext& context = {});

/// Bytes that find_leaks() takes beyond its input.
std::uint64_t leak_bytes(const Size3& size);

/// Writes the widest leak of each label into its finding (0 where it has none): a leak belongs to
/// the label of the pixel that is nearest to it. `findings` has all labels in order. Returns which
/// label each leak has, 0: none.
std::vector<std::uint32_t> attach_leaks(const std::vector<Leak>& leaks,
                                        const std::vector<std::uint32_t>& labels, const Size3& size,
                                        const VoxelSize& voxel,
                                        std::vector<LabelFinding>& findings);

}  // namespace aprscope
