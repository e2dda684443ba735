#include "core/cells/principal_axes.hpp"

#include <algorithm>
#include <cmath>

namespace aprscope {

PrincipalAxes principal_axes(std::array<std::array<double, 3>, 3> m) {
  constexpr int kMostSweeps = 60;
  std::array<std::array<double, 3>, 3> v{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    const double off = m[0][1] * m[0][1] + m[0][2] * m[0][2] + m[1][2] * m[1][2];
    if (off == 0.0) break;
    for (std::size_t p = 0; p < 2; ++p) {
      for (std::size_t q = p + 1; q < 3; ++q) {
        if (m[p][q] == 0.0) continue;
        const double theta = (m[q][q] - m[p][p]) / (2.0 * m[p][q]);
        const double t = (theta < 0.0 ? -1.0 : 1.0) / (std::abs(theta) + std::hypot(theta, 1.0));
        const double c = 1.0 / std::hypot(t, 1.0);
        const double s = t * c;
        for (std::size_t k = 0; k < 3; ++k) {
          const double a = m[k][p];
          const double b = m[k][q];
          m[k][p] = c * a - s * b;
          m[k][q] = s * a + c * b;
        }
        for (std::size_t k = 0; k < 3; ++k) {
          const double a = m[p][k];
          const double b = m[q][k];
          m[p][k] = c * a - s * b;
          m[q][k] = s * a + c * b;
        }
        m[p][q] = m[q][p] = 0.0;
        for (std::size_t k = 0; k < 3; ++k) {
          const double a = v[k][p];
          const double b = v[k][q];
          v[k][p] = c * a - s * b;
          v[k][q] = s * a + c * b;
        }
      }
    }
  }
  std::array<std::size_t, 3> order{0, 1, 2};
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return m[a][a] > m[b][b]; });
  PrincipalAxes out;
  for (std::size_t i = 0; i < 3; ++i) {
    out.values[i] = m[order[i]][order[i]];
    for (std::size_t k = 0; k < 3; ++k) out.axes[i][k] = v[k][order[i]];
  }
  return out;
}

}  // namespace aprscope
