#pragma once

#include "core/projections/projection_table.hpp"

namespace aprscope {

/// Wavelength in Å of electrons of `kilovolts`: 12.2643247 ÷ √(V (1 + 0.978466e−6 V)).
double electron_wavelength(double kilovolts);

/// The contrast transfer function of one image, made ready to be evaluated at many frequencies
/// (x, y) in 1/Å:
///   CTF = scale · exp(−B k²/4) · sin 2π(a k² + b (x² − y²) + c 2xy + d k⁴ + e).
/// Positive defocus is underfocus; at the origin it is +Q (amplitude contrast), so that it
/// multiplies a bright object. As in RELION and CTFFIND4 (Rohou & Grigorieff 2015).
struct Ctf {
  // Turns, of frequencies in 1/Å.
  double mean = 0.0, cosine = 0.0, sine = 0.0, fourth = 0.0, constant = 0.25;
  double scale = 1.0;
  /// B-factor in Å².
  double b_factor = 0.0;

  [[nodiscard]] double turns(double x, double y) const {
    const double k2 = x * x + y * y;
    return mean * k2 + cosine * (x * x - y * y) + 2.0 * sine * x * y + fourth * k2 * k2 + constant;
  }
  [[nodiscard]] double operator()(double x, double y) const { return with_more(x, y, 0.0); }
  /// The CTF with `more` turns added in its sine.
  [[nodiscard]] double with_more(double x, double y, double more) const;
};

/// The CTF of a row and its optics group; everything must be known (ProjectionTable::has_ctf()).
Ctf ctf_of(const Projection& projection, const OpticsGroup& optics);

}  // namespace aprscope
