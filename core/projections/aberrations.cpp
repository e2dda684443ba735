#include "core/projections/aberrations.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

#include "core/projections/ctf.hpp"

namespace aprscope {

namespace {

constexpr double kAngstrom = 1e7;  // of a millimetre
constexpr double kRadian = 1e-3;   // of a milliradian

double& term(PhasePolynomial& polynomial, int a, int b) {
  polynomial.degree = std::max(polynomial.degree, a + b);
  return polynomial.c[PhasePolynomial::kSide * a + b];
}

bool is_tilted(const OpticsGroup& group) {
  return group.beam_tilt_x != 0.0 || group.beam_tilt_y != 0.0;  // NaN is, too
}

// (x² + y²) (x bx + y by), multiplied out.
void add_beam_tilt(const OpticsGroup& group, PhasePolynomial& odd) {
  const double wave = electron_wavelength(group.voltage_kv);
  const double coma = -group.spherical_aberration_mm * kAngstrom * wave * wave * kRadian;
  term(odd, 3, 0) += coma * group.beam_tilt_x;
  term(odd, 1, 2) += coma * group.beam_tilt_x;
  term(odd, 0, 3) += coma * group.beam_tilt_y;
  term(odd, 2, 1) += coma * group.beam_tilt_y;
}

double binomial(int n, int k) {
  double value = 1.0;
  for (int i = 1; i <= k; ++i) value *= static_cast<double>(n - k + i) / i;
  return value;
}

double factorial(int n) {
  double value = 1.0;
  for (int i = 2; i <= n; ++i) value *= i;
  return value;
}

// (x² + y²)ʲ times the real part (the imaginary one, `sine`) of (x + iy)ˡ.
void add_harmonic(int j, int l, bool sine, double weight, PhasePolynomial& polynomial) {
  for (int s = 0; s <= j; ++s) {
    for (int t = sine ? 1 : 0; t <= l; t += 2) {
      const double sign = t / 2 % 2 == 0 ? 1.0 : -1.0;
      term(polynomial, 2 * (j - s) + l - t, 2 * s + t) +=
          sign * weight * binomial(j, s) * binomial(l, t);
    }
  }
}

// Zernike's polynomial of degree n: Σ over powers of ρ of its radial part (Born & Wolf, 9.2.1)
// times cos mφ, or sin |m|φ where m < 0.
void add_zernike(int n, int m, double weight, PhasePolynomial& polynomial) {
  const int l = std::abs(m);
  for (int k = 0; 2 * k <= n - l; ++k) {
    const double radial = (k % 2 == 0 ? 1.0 : -1.0) * factorial(n - k) /
                          (factorial(k) * factorial((n + l) / 2 - k) * factorial((n - l) / 2 - k));
    add_harmonic((n - l) / 2 - k, l, m < 0, weight * radial, polynomial);
  }
}

// (n, m) of the odd, or of the even, coefficients one after the other: degrees ascend, and in each
// m from −n to n in steps of 2.
template <class Take>
void each_zernike(std::span<const double> coefficients, int first_degree, const Take& take) {
  std::size_t i = 0;
  for (int n = first_degree; i < coefficients.size(); n += 2) {
    for (int m = -n; m <= n && i < coefficients.size(); m += 2) take(n, m, coefficients[i++]);
  }
}

bool any_not_zero(std::span<const double> values) {
  return std::any_of(values.begin(), values.end(), [](double v) { return v != 0.0; });
}

// Sizes of lists of all degrees up to one.
bool is_complete(std::size_t size, int first_degree) {
  std::size_t whole = 0;
  for (int n = first_degree; n <= PhasePolynomial::kMostDegree; n += 2) {
    whole += static_cast<std::size_t>(n) + 1;
    if (size == whole) return true;
  }
  return size == 0;
}

std::string list_trouble(std::span<const double> values, int first_degree, const char* name,
                         const char* sizes) {
  for (const double v : values) {
    if (!std::isfinite(v)) return std::string("an ") + name + " with a value that is not a number";
  }
  if (!any_not_zero(values) || is_complete(values.size(), first_degree)) return {};
  return std::string("an ") + name + " of " + std::to_string(values.size()) + " values, not of " +
         sizes;
}

std::string tilt_trouble(const OpticsGroup& group) {
  constexpr double kMostTilt = 1e3;  // mrad; nobody's column is that crooked
  if (!is_tilted(group)) return {};
  if (!std::isfinite(group.beam_tilt_x) || !std::isfinite(group.beam_tilt_y)) {
    return "a beam tilt that is not a number";
  }
  if (std::abs(group.beam_tilt_x) > kMostTilt || std::abs(group.beam_tilt_y) > kMostTilt) {
    return "a beam tilt of more than 1000 mrad";
  }
  if (!std::isfinite(group.voltage_kv)) return "a beam tilt and no voltage";
  if (!std::isfinite(group.spherical_aberration_mm)) {
    return "a beam tilt and no spherical aberration";
  }
  return {};
}

}  // namespace

double turns_of(const PhasePolynomial& polynomial, double x, double y) {
  double sum = 0.0;
  for (int a = polynomial.degree; a >= 0; --a) {
    double inner = 0.0;
    for (int b = polynomial.degree - a; b >= 0; --b) {
      inner = inner * y + polynomial.c[PhasePolynomial::kSide * a + b];
    }
    sum = sum * x + inner;
  }
  return sum;
}

PlaneOptics plane_optics_of(const OpticsGroup& group) {
  constexpr double kTurn = 0.5 / std::numbers::pi;
  PlaneOptics plane;
  std::copy(group.magnification.begin(), group.magnification.end(), plane.magnification);
  if (is_tilted(group)) add_beam_tilt(group, plane.odd);
  each_zernike(group.odd_zernike, 1, [&](int n, int m, double radians) {
    if (radians != 0.0) add_zernike(n, m, kTurn * radians, plane.odd);
  });
  // RELION's CTF is −sin γ and its γ grows by them.
  each_zernike(group.even_zernike, 0, [&](int n, int m, double radians) {
    if (radians != 0.0) add_zernike(n, m, -kTurn * radians, plane.even);
  });
  return plane;
}

Magnification magnification_of(const OpticsGroup& group) {
  const auto& [xx, xy, yx, yy] = group.magnification;
  Magnification out;
  out.any = xx != 1.0 || xy != 0.0 || yx != 0.0 || yy != 1.0;
  if (!out.any) return out;
  const double det = xx * yy - xy * yx;
  out.to_image = {yy / det, -xy / det, -yx / det, xx / det};
  out.area = std::abs(1.0 / det);
  // The singular values of the inverse matrix are 1 ÷ those of the matrix.
  const double half = 0.5 * (xx * xx + xy * xy + yx * yx + yy * yy);
  out.largest = std::sqrt(half + std::sqrt(std::max(half * half - det * det, 0.0))) / std::abs(det);
  return out;
}

std::string magnification_trouble(const OpticsGroup& group) {
  constexpr double kMost = 2.0;  // real ones are within a few hundredths of 1
  for (const double value : group.magnification) {
    if (!std::isfinite(value)) return "a magnification matrix (rlnMagMat) that is not of numbers";
    if (std::abs(value) > kMost) return "a magnification matrix (rlnMagMat) with a value beyond 2";
  }
  const auto& [xx, xy, yx, yy] = group.magnification;
  if (xx * yy - xy * yx < 0.1 || magnification_of(group).largest > kMost) {
    return "a magnification matrix (rlnMagMat) that mirrors images or shrinks them to half";
  }
  return {};
}

bool has_aberrations(const OpticsGroup& group) {
  return is_tilted(group) || any_not_zero(group.odd_zernike) || any_not_zero(group.even_zernike);
}

std::string aberration_trouble(const OpticsGroup& group) {
  std::string why = tilt_trouble(group);
  if (why.empty()) {
    why = list_trouble(group.odd_zernike, 1, "rlnOddZernike", "2, 6, 12 or 20");
  }
  if (why.empty()) {
    why = list_trouble(group.even_zernike, 0, "rlnEvenZernike", "1, 4, 9, 16 or 25");
  }
  return why;
}

}  // namespace aprscope
