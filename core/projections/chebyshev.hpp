#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace aprscope {

/// Coefficients of the powers of u of the polynomial with n terms that agrees with `f` in the
/// Chebyshev points of [0, 1].
template <std::size_t n, class Function>
std::array<double, n> polynomial(const Function& f) {
  std::array<double, n> x{};
  std::array<double, n> d{};
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = 0.5 - 0.5 * std::cos(std::numbers::pi * (static_cast<double>(i) + 0.5) /
                                static_cast<double>(n));
    d[i] = f(x[i]);
  }
  // Newton's divided differences, then multiplied out.
  for (std::size_t order = 1; order < n; ++order) {
    for (std::size_t i = n - 1; i >= order; --i) d[i] = (d[i] - d[i - 1]) / (x[i] - x[i - order]);
  }
  std::array<double, n> c{};
  c[0] = d[n - 1];
  for (std::size_t i = n - 1; i-- > 0;) {
    for (std::size_t j = n - 1; j > 0; --j) c[j] = c[j - 1] - x[i] * c[j];
    c[0] = d[i] - x[i] * c[0];
  }
  return c;
}

}  // namespace aprscope
