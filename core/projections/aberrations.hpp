#pragma once

#include <array>
#include <string>

#include "core/projections/plane_optics.hpp"
#include "core/projections/projection_table.hpp"

namespace aprscope {

double turns_of(const PhasePolynomial& polynomial, double x, double y);

/// The aberrations of a group in RELION's convention (Zivanov et al. 2018, eLife 7:e42166, and
/// 2020, IUCrJ 7:253–267), k being frequencies in 1/Å: the spectrum of an image is that of an ideal
/// one times exp(iφ) with φ = −2π C_s λ² |k|² (k · b) of a beam tilt b in radians: the term of
/// third order (axial coma) of the spherical aberration ½π C_s λ³ |k − b/λ|⁴ about a tilted axis.
/// Odd coefficients add Σ c Z(k) to φ, even ones to the γ of a CTF that is −sin γ; Z is Zernike's
/// polynomial R(|m|, n, |k|) cos mϑ, of m < 0 R sin |m|ϑ, of frequencies as they are (in 1/Å, not
/// in the unit circle); degrees n ascend from 1 or 0 in steps of 2, and in each m from −n to n.
/// With a magnification M all this, and the CTF, is of Mk. Everything that is used must be known:
/// see aberration_trouble().
PlaneOptics plane_optics_of(const OpticsGroup& group);

/// Whether there is a phase to correct beside the CTF.
bool has_aberrations(const OpticsGroup& group);

/// Anisotropic magnification, as in RELION: the frequency k of an image is the frequency Mk of the
/// specimen.
struct Magnification {
  /// M is another matrix than 1.
  bool any = false;
  /// M⁻¹, by rows.
  std::array<double, 4> to_image{1.0, 0.0, 0.0, 1.0};
  /// Determinant of M⁻¹, and its largest singular value.
  double area = 1.0;
  double largest = 1.0;
};
Magnification magnification_of(const OpticsGroup& group);

/// Like aberration_trouble(), for the magnification, which counts without a CTF, too.
std::string magnification_trouble(const OpticsGroup& group);

/// Why the aberrations of a group cannot be corrected, to continue "optics group 2 has "; empty:
/// they can be, or there are none.
std::string aberration_trouble(const OpticsGroup& group);

}  // namespace aprscope
