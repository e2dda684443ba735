#pragma once

#include <vector_types.h>

#include "gpu/pixel/dense_grid.hpp"

// Convolution with mirrored borders by cosine transforms, see CosineConvolution, on the device.
namespace aprscope::gpu {

/// exp(−iπk / 2n) of each dimension on the device: z and x for all k, y for k ≤ n / 2.
struct CosineTurns {
  const float2* z = nullptr;
  const float2* x = nullptr;
  const float2* y = nullptr;
};

/// Multiplies the spectrum of a folded grid by a kernel's cosine spectrum: `factors` has a pair for
/// each complex number of it, row by row, see cosine_factors().
void multiply_cosines(const GridView& g, const float2* factors, const CosineTurns& turns,
                      cudaStream_t stream);

/// out[o][k][i] = Σ_t in[o][t][i] · cos(π k t / n) · (t == 0 ? 1 : 2) for k < n; `cosines` holds
/// cos(π j / n) for j < 2n.
void sum_cosines(const double* in, std::int64_t outer, int taps, std::int64_t inner, int n,
                 const double* cosines, double* out, cudaStream_t stream);
/// The same along z as the last step, times `scale`: of [taps][x][y] all z, as pairs (y = k, and
/// y = n − k) for k ≤ n.y / 2.
void cosine_factors(const double* in, int taps, Int3 n, const double* cosines, double scale,
                    float2* factors, cudaStream_t stream);

}  // namespace aprscope::gpu
