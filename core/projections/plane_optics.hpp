#pragma once

// Plain numbers only, read by kernels of every instruction set and of the GPU.
namespace aprscope {

/// A polynomial of a frequency (x, y) in 1/Å: turns (of 2π), Σ c[kSide a + b] xᵃ yᵇ over
/// a + b ≤ degree.
struct PhasePolynomial {
  static constexpr int kMostDegree = 8;
  static constexpr int kSide = kMostDegree + 1;
  /// Degree; −1: the polynomial is 0 everywhere.
  int degree = -1;
  double c[kSide * kSide] = {};
};

/// The aberrations of all images of an optics group, beside their CTF. Both polynomials are of
/// frequencies of the specimen: (m[0] x + m[1] y, m[2] x + m[3] y) of an image's (x, y).
struct PlaneOptics {
  double magnification[4] = {1.0, 0.0, 0.0, 1.0};
  /// Antisymmetric: the spectrum of an image is that of an ideal one times exp(2πi odd).
  PhasePolynomial odd;
  /// Symmetric: added to the turns of the CTF's sine.
  PhasePolynomial even;
};

}  // namespace aprscope
