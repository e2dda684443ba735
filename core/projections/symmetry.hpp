#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/projections/orientation.hpp"

namespace aprscope {

/// A rotation that maps the grid to itself: component i of what it makes of v is sign[i] ·
/// v[axis[i]].
struct GridRotation {
  std::array<int, 3> axis{0, 1, 2};
  std::array<int, 3> sign{1, 1, 1};

  [[nodiscard]] std::array<std::int64_t, 3> operator()(const std::array<std::int64_t, 3>& v) const {
    std::array<std::int64_t, 3> out{};
    for (std::size_t i = 0; i < 3; ++i) out[i] = sign[i] * v[static_cast<std::size_t>(axis[i])];
    return out;
  }
};

/// A point group: a map of it does not change under its rotations. Every rotation is c · t with c
/// of `cosets` and t of `aligned`: the sums of samples A c, permuted by all t and added up, are
/// the sums of samples A R for all R.
struct SymmetryGroup {
  /// The name, such as "C1", "D7", "I2".
  std::string name;
  std::vector<Rotation> rotations;
  std::vector<GridRotation> aligned;
  std::vector<Rotation> cosets;
};

/// C<n> (about z), D<n> (n-fold z, 2-fold x), T, O, I or I1 … I4 in the conventions of RELION and
/// Xmipp (Heymann et al. 2005); upper or lower case. Errors: any other name, n above 100.
Result<SymmetryGroup> symmetry_group(const std::string& name);

}  // namespace aprscope
