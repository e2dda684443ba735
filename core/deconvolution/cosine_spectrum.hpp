#pragma once

#include <complex>
#include <vector>

#include "core/base/aligned_vector.hpp"
#include "core/filter/stencil.hpp"

namespace aprscope {

/// What the cosine transform of an even kernel is made from, for whoever computes it elsewhere.
struct CosineKernel {
  /// Offsets from 0 on in each dimension; the mean of the eight weights at each.
  Size3 taps;
  std::vector<double> weights;
};
CosineKernel cosine_kernel(const Stencil& kernel);
/// cos(πj / n) for j < 2n.
std::vector<double> cosine_table(std::int64_t n);
/// exp(−iπk / 2n) for k < count.
std::vector<std::complex<float>> cosine_turns(std::int64_t n, std::int64_t count);

/// Multiplies the cosine transform (DCT-II) of a grid by that of an even kernel, on the Fourier
/// spectrum of the grid in Makhoul's order (Makhoul 1980): even positions first, then the odd ones
/// backwards. A real Fourier transform of the grid's own size is then all that a convolution with
/// mirrored borders takes.
class CosineSpectrum {
 public:
  /// Σ_j kernel(j) Π cos(π k j / n) for all k of the grid; every kernel size. Throws
  /// std::bad_alloc.
  CosineSpectrum(const Size3& grid, const Stencil& kernel);

  /// In place; rows of n.y / 2 + 1 interleaved complex numbers, `row` floats apart.
  void multiply(float* spectrum, std::int64_t row) const;

  [[nodiscard]] std::uint64_t bytes() const;

 private:
  void multiply_octets(std::int64_t k1, std::int64_t k2, float* spectrum, std::int64_t row) const;

  Size3 grid_;
  std::int64_t complexes_ = 0;
  /// Row (k1, k2) of pairs (k3, n3 − k3): what the real and the imaginary part are multiplied by.
  AlignedVector<float> factors_;
  /// exp(−iπk / 2n) of each dimension.
  std::vector<std::complex<float>> turn_z_, turn_x_, turn_y_;
};

}  // namespace aprscope
