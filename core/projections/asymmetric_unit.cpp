#include "core/projections/asymmetric_unit.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace aprscope {
namespace {

constexpr double kSame = 1e-9;

double dot(const Vector3& a, const Vector3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// Direction in the plane of z and x, which mirrors the axes of all groups but T: so cells have few
// sides. Near the equator, where a map of directions distorts shapes least, and not on any axis.
Vector3 middle() {
  constexpr double kTilt = 85.0 * std::numbers::pi / 180.0;
  return {std::sin(kTilt), 0.0, std::cos(kTilt)};
}

}  // namespace

AsymmetricUnit::AsymmetricUnit(const SymmetryGroup& group) {
  const Vector3 p = middle();
  for (const Rotation& rotation : group.rotations) {
    const Vector3 copy = rotation * p;
    const Vector3 normal = {p[0] - copy[0], p[1] - copy[1], p[2] - copy[2]};
    if (dot(normal, normal) > kSame) normals_.push_back(normal);
  }
  // Test the planes of near copies first, since these exclude most directions.
  std::stable_sort(normals_.begin(), normals_.end(),
                   [](const Vector3& a, const Vector3& b) { return dot(a, a) < dot(b, b); });
}

bool AsymmetricUnit::contains(const Vector3& direction) const {
  return std::all_of(normals_.begin(), normals_.end(),
                     [&](const Vector3& normal) { return dot(direction, normal) >= 0.0; });
}

std::vector<bool> asymmetric_unit(const SymmetryGroup& group, int rows, int columns) {
  const AsymmetricUnit unit(group);
  std::vector<bool> cells;
  cells.reserve(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
  for (int row = 0; row < rows; ++row) {
    const double z = 1.0 - (2.0 * row + 1.0) / rows;
    const double across = std::sqrt(1.0 - z * z);
    for (int column = 0; column < columns; ++column) {
      const double rot = ((2.0 * column + 1.0) / columns - 1.0) * std::numbers::pi;
      cells.push_back(unit.contains({across * std::cos(rot), across * std::sin(rot), z}));
    }
  }
  return cells;
}

}  // namespace aprscope
