#pragma once

#include <complex>
#include <vector>

#include "core/filter/stencil.hpp"

namespace aprscope {

/// The input of the cosine transform (DCT-II) of an even kernel, for code that computes it on
/// another device than CosineConvolution does.
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

}  // namespace aprscope
