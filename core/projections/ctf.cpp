#include "core/projections/ctf.hpp"

#include <cmath>
#include <numbers>

namespace aprscope {

double electron_wavelength(double kilovolts) {
  const double volts = kilovolts * 1e3;
  return 12.2643247 / std::sqrt(volts * (1.0 + 0.978466e-6 * volts));
}

double Ctf::with_more(double x, double y, double more) const {
  const double value = scale * std::sin(2.0 * std::numbers::pi * (turns(x, y) + more));
  return b_factor == 0.0 ? value : value * std::exp(-0.25 * b_factor * (x * x + y * y));
}

Ctf ctf_of(const Projection& projection, const OpticsGroup& optics) {
  constexpr double degree = std::numbers::pi / 180.0;
  const double wave = electron_wavelength(optics.voltage_kv);
  const double aberration = optics.spherical_aberration_mm * 1e7;  // Å
  const double mean = 0.5 * (projection.defocus_u + projection.defocus_v);
  const double half = 0.5 * (projection.defocus_u - projection.defocus_v);
  const double axis = 2.0 * projection.defocus_angle * degree;
  Ctf ctf;
  ctf.mean = 0.5 * wave * mean;
  ctf.cosine = 0.5 * wave * half * std::cos(axis);
  ctf.sine = 0.5 * wave * half * std::sin(axis);
  ctf.fourth = -0.25 * aberration * wave * wave * wave;
  ctf.constant = (std::asin(optics.amplitude_contrast) + projection.phase_shift * degree) /
                 (2.0 * std::numbers::pi);
  ctf.scale = projection.ctf_scale;
  ctf.b_factor = projection.ctf_b_factor;
  return ctf;
}

}  // namespace aprscope
