#include "core/projections/orientation.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace aprscope {

Vector3 Rotation::operator*(const Vector3& v) const {
  Vector3 out{};
  for (std::size_t i = 0; i < 3; ++i) {
    out[i] = rows[i][0] * v[0] + rows[i][1] * v[1] + rows[i][2] * v[2];
  }
  return out;
}

Rotation Rotation::operator*(const Rotation& other) const {
  Rotation out;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      out.rows[i][j] = rows[i][0] * other.rows[0][j] + rows[i][1] * other.rows[1][j] +
                       rows[i][2] * other.rows[2][j];
    }
  }
  return out;
}

Rotation Rotation::transposed() const {
  Rotation out;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) out.rows[i][j] = rows[j][i];
  }
  return out;
}

double Rotation::distance(const Rotation& other) const {
  double most = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      most = std::max(most, std::abs(rows[i][j] - other.rows[i][j]));
    }
  }
  return most;
}

Rotation from_euler(double rot, double tilt, double psi) {
  constexpr double kDegree = std::numbers::pi / 180.0;
  const double ca = std::cos(rot * kDegree);
  const double sa = std::sin(rot * kDegree);
  const double cb = std::cos(tilt * kDegree);
  const double sb = std::sin(tilt * kDegree);
  const double cg = std::cos(psi * kDegree);
  const double sg = std::sin(psi * kDegree);
  return {{{{cg * cb * ca - sg * sa, cg * cb * sa + sg * ca, -cg * sb},
            {-sg * cb * ca - cg * sa, -sg * cb * sa + cg * ca, sg * sb},
            {sb * ca, sb * sa, cb}}}};
}

}  // namespace aprscope
