#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/projections/chebyshev.hpp"
#include "core/projections/slab_kernel.hpp"

namespace aprscope {

namespace {

constexpr double kPi = std::numbers::pi;

// I_v(x) ÷ x^v, which is finite at 0.
double bessel_quotient(double v, double x) {
  if (x < 1e-3) return std::pow(0.5, v) / std::tgamma(v + 1.0) * (1.0 + x * x / (4.0 * (v + 1.0)));
  return std::cyl_bessel_i(v, x) / std::pow(x, v);
}

}  // namespace

double Blob::operator()(double r) const {
  const double t2 = 1.0 - r * r / (radius * radius);
  if (!(t2 >= 0.0)) return 0.0;
  const double t = std::sqrt(t2);
  return std::pow(t2, order) * bessel_quotient(order, alpha * t) / bessel_quotient(order, alpha);
}

double Blob::slab(double d) const {
  const double t2 = 1.0 - d * d / (radius * radius);
  if (!(t2 > 0.0)) return 0.0;
  const int m = order + 1;
  return std::pow(t2, m) * bessel_quotient(m, alpha * std::sqrt(t2)) / bessel_quotient(m, alpha);
}

double Blob::window(double u) const {
  const double v = order + 1.5;
  const double w = 2.0 * kPi * radius * u;
  const double s2 = alpha * alpha - w * w;
  if (s2 >= 0.0) return bessel_quotient(v, std::sqrt(s2)) / bessel_quotient(v, alpha);
  const double s = std::sqrt(-s2);
  const double value =
      s < 1e-3 ? bessel_quotient(v, 0.0) : std::cyl_bessel_j(v, s) / std::pow(s, v);
  return value / bessel_quotient(v, alpha);
}

SlabKernel slab_kernel(const Blob& blob) {
  const int m = blob.order + 1;
  const auto c = polynomial<SlabKernel::kTerms>([&](double u) {
    return std::pow(u, blob.order) * bessel_quotient(m, blob.alpha * std::sqrt(u)) /
           bessel_quotient(m, blob.alpha);
  });
  SlabKernel kernel;
  kernel.radius = static_cast<float>(blob.radius);
  kernel.inverse_square = static_cast<float>(1.0 / (blob.radius * blob.radius));
  std::transform(c.begin(), c.end(), kernel.c.begin(),
                 [](double value) { return static_cast<float>(value); });
  return kernel;
}

std::vector<double> window_table(const Blob& blob, std::int64_t count, double scale,
                                 std::int64_t padded) {
  std::vector<double> table(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    table[static_cast<std::size_t>(i)] =
        blob.window(std::sqrt(static_cast<double>(i)) * scale / static_cast<double>(padded));
  }
  return table;
}

double linear_window(double x, std::int64_t padded) {
  const double w = kPi * x / static_cast<double>(padded);
  if (std::abs(w) < 1e-9) return 1.0;
  const double s = std::sin(w) / w;
  return s * s;
}

double slab_integral(const SlabKernel& slab) {
  constexpr int kSteps = 4096;
  double sum = 0.0;
  for (int i = 0; i < kSteps; ++i) {
    sum += slab(slab.radius * (static_cast<float>(i) + 0.5F) / kSteps);
  }
  return 2.0 * slab.radius * sum / kSteps;
}

}  // namespace aprscope
