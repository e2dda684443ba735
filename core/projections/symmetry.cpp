#include "core/projections/symmetry.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>

namespace aprscope {

namespace {

constexpr double kTolerance = 1e-6;

// About an axis of any length, by a turn's share.
Rotation about(const Vector3& axis, int fold) {
  const double length = std::sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  const double x = axis[0] / length;
  const double y = axis[1] / length;
  const double z = axis[2] / length;
  const double angle = 2.0 * std::numbers::pi / fold;
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  const double d = 1.0 - c;
  return {{{{c + x * x * d, x * y * d - z * s, x * z * d + y * s},
            {y * x * d + z * s, c + y * y * d, y * z * d - x * s},
            {z * x * d - y * s, z * y * d + x * s, c + z * z * d}}}};
}

bool contains(const std::vector<Rotation>& rotations, const Rotation& wanted) {
  return std::any_of(rotations.begin(), rotations.end(), [&](const Rotation& rotation) {
    return rotation.distance(wanted) < kTolerance;
  });
}

// The group that generators make: all their products; the identity comes first.
std::vector<Rotation> closed(const std::vector<Rotation>& generators) {
  std::vector<Rotation> rotations(1);
  for (std::size_t i = 0; i < rotations.size(); ++i) {
    for (const Rotation& generator : generators) {
      const Rotation product = rotations[i] * generator;
      if (!contains(rotations, product)) rotations.push_back(product);
    }
  }
  return rotations;
}

bool is_aligned(const Rotation& rotation, GridRotation& out) {
  for (std::size_t i = 0; i < 3; ++i) {
    int found = -1;
    for (std::size_t j = 0; j < 3; ++j) {
      const double value = rotation.rows[i][j];
      if (std::abs(std::abs(value) - 1.0) < kTolerance) {
        found = static_cast<int>(j);
        out.sign[i] = value > 0.0 ? 1 : -1;
      }
    }
    if (found < 0) return false;
    out.axis[i] = found;
  }
  return true;
}

Rotation matrix(const GridRotation& rotation) {
  Rotation out;
  for (std::size_t i = 0; i < 3; ++i) {
    out.rows[i] = {0.0, 0.0, 0.0};
    out.rows[i][static_cast<std::size_t>(rotation.axis[i])] = rotation.sign[i];
  }
  return out;
}

// The generators of a group; empty: unknown name. A 2-fold axis and the next 5-fold one make I.
std::vector<Rotation> generators(const std::string& name) {
  constexpr double phi = std::numbers::phi;
  if (name == "T") return {about({0, 0, 1}, 3), about({0, std::sqrt(2.0), 1}, 2)};
  if (name == "O") return {about({0, 0, 1}, 4), about({1, 1, 1}, 3)};
  if (name == "I1") return {about({1, 0, 0}, 2), about({phi, 0, -1}, 5)};
  if (name == "I2") return {about({0, 0, 1}, 2), about({1, 0, phi}, 5)};
  if (name == "I3") return {about({-1, 0, phi}, 2), about({0, 0, 1}, 5)};
  if (name == "I4") return {about({1, 0, phi}, 2), about({2, 0, 1}, 5)};
  int fold = 0;
  const char* const end = name.data() + name.size();
  if (name.size() < 2 || (name[0] != 'C' && name[0] != 'D')) return {};
  const auto [at, error] = std::from_chars(name.data() + 1, end, fold);
  if (error != std::errc() || at != end || fold < 1 || fold > 100) return {};
  if (name[0] == 'C') return {about({0, 0, 1}, fold)};
  return {about({0, 0, 1}, fold), about({1, 0, 0}, 2)};
}

}  // namespace

Result<SymmetryGroup> symmetry_group(const std::string& name) {
  SymmetryGroup group;
  group.name = name;
  std::transform(name.begin(), name.end(), group.name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  if (group.name == "I") group.name = "I2";
  const std::vector<Rotation> made = generators(group.name);
  if (made.empty()) {
    return Error{"there is no symmetry " + name, "symmetry",
                 "use C1 … C100, D1 … D100, T, O, I1, I2, I3 or I4"};
  }
  group.rotations = closed(made);
  for (const Rotation& rotation : group.rotations) {
    GridRotation aligned;
    if (is_aligned(rotation, aligned)) group.aligned.push_back(aligned);
  }
  std::vector<Rotation> covered;
  for (const Rotation& rotation : group.rotations) {
    if (contains(covered, rotation)) continue;
    group.cosets.push_back(rotation);
    for (const GridRotation& aligned : group.aligned) {
      covered.push_back(rotation * matrix(aligned));
    }
  }
  return group;
}

}  // namespace aprscope
