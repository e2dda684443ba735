#pragma once

#include <vector>

#include "core/projections/orientation.hpp"
#include "core/projections/symmetry.hpp"

namespace aprscope {

/// One asymmetric unit of the viewing directions: of all copies of a direction under the group's
/// rotations exactly one lies in it, or several on its sides. The unit is the Dirichlet cell of the
/// direction rot 0°, tilt 85°: all that is not nearer to another copy of that. Its sides are great
/// circles: of C<n> it is |rot| ≤ 180°/n, of D<n> that with tilt ≤ 90°, of T, O and I a small
/// polygon. It reaches rot = ±180° only for C1, where it is all directions, and D1, where it is the
/// upper half.
class AsymmetricUnit {
 public:
  /// A group without rotations counts as C1.
  explicit AsymmetricUnit(const SymmetryGroup& group);

  /// `direction` in the frame of the map, of any length but 0.
  [[nodiscard]] bool contains(const Vector3& direction) const;

 private:
  // Normals of the planes between the direction and its copies, pointing to the direction.
  std::vector<Vector3> normals_;
};

/// Which cells of a map of directions have their centres in the unit: `rows` bands of equal height
/// in cos tilt from 1 to −1, `columns` of rot from −180° to 180°, row by row (see
/// DirectionHistogram).
std::vector<bool> asymmetric_unit(const SymmetryGroup& group, int rows, int columns);

}  // namespace aprscope
