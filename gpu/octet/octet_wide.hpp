#pragma once

#include <driver_types.h>

#include "gpu/octet/octets.hpp"
#include "gpu/octet/wide_job.hpp"

// Neighbourhoods of any odd size. Where the patch around a block's particles fits into shared
// memory it is staged there, else every cell is looked up.
namespace aprscope::gpu {

/// Any stencil. `weights` on the device, from dense_weights(), laid out for whole octets.
void convolve_dense(const OctetView& v, const WideJob& job, const float* weights,
                    cudaStream_t stream);
/// Floats that dense_weights() writes: for each row of cells and each weight, the weights of the
/// 2×2 results in z and x that the row contributes to. `stencil` is ordered z, x, y.
std::uint64_t dense_weight_count(Int3 radius);
void dense_weights(const float* stencil, Int3 radius, float* weights);

/// A separable stencil in three passes. Returns false, without doing anything, if no patch fits.
constexpr int kMaxSeparableRadius = 15;
struct SeparableWeights {
  float w[3][2 * kMaxSeparableRadius + 1 + 16] = {};  // z, x, y; the rest 0
};
bool convolve_separable(const OctetView& v, const WideJob& job, const SeparableWeights& weights,
                        cudaStream_t stream);

/// A statistic of each neighbourhood.
void local_statistic(const OctetView& v, const WideJob& job, Statistic statistic,
                     cudaStream_t stream);

/// The total-variation term of each particle from its 3³ neighbours, see repeated_variation().
void total_variation(const OctetView& v, const WideJob& job, float edge, cudaStream_t stream);

}  // namespace aprscope::gpu
