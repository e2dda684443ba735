#pragma once

#include <array>

namespace aprscope {

/// Eigenvalues of a symmetric 3 × 3 matrix in falling order, and the unit eigenvector of each.
struct PrincipalAxes {
  std::array<double, 3> values{};
  std::array<std::array<double, 3>, 3> axes{};
};

/// Finds the axes by Jacobi rotations (1846), to rounding.
PrincipalAxes principal_axes(std::array<std::array<double, 3>, 3> matrix);

}  // namespace aprscope
