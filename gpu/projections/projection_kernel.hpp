#pragma once

#include <array>

#include "core/projections/slab_kernel.hpp"
#include "gpu/projections/projection_insert.hpp"

namespace aprscope::gpu {

/// The kernel's polynomial without its highest power. The lower ones make up for it as far as
/// possible (economization: subtracts the Chebyshev polynomial of that degree on 0 … 1).
inline std::array<float, SlabKernel::kTerms> shortened(const SlabKernel& kernel) {
  static_assert(SlabKernel::kTerms == 8 && kKernelTerms == 8 && kFilteredTerms == 7);
  // The coefficients of T₇(2u − 1) by powers of u.
  constexpr double kChebyshev[] = {-1, 98, -1568, 9408, -26880, 39424, -28672, 8192};
  const double share = static_cast<double>(kernel.c[7]) / kChebyshev[7];
  std::array<float, SlabKernel::kTerms> out{};
  for (std::size_t i = 0; i < 7; ++i) {
    out[i] = static_cast<float>(static_cast<double>(kernel.c[i]) - share * kChebyshev[i]);
  }
  return out;
}

}  // namespace aprscope::gpu
