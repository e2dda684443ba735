#pragma once

#include <cstdint>

// The innermost loops, compiled for AVX2 and for AVX-512; filter_kernels() picks at run time. Both
// add products in the same order with fused multiply–adds, so that the bits agree.
namespace aprscope {

/// Values that one block of weighted_blocks() computes.
inline constexpr std::int64_t kBlock = 16;

struct FilterKernels {
  /// For each block start b: out[b + i] = Σ_k weights[k] · base[offsets[k] + b + i], 0 ≤ i <
  /// kBlock.
  void (*weighted_blocks)(const float* base, const std::int64_t* offsets, const float* weights,
                          std::int64_t taps, const std::int32_t* blocks, std::int64_t count,
                          float* out);
  /// out[i] = Σ_k weights[k] · rows[k][i], 0 ≤ i < length, a multiple of kBlock.
  void (*weighted_rows)(const float* const* rows, const float* weights, std::int64_t count,
                        std::int64_t length, float* out);
  /// out[i] = the largest (smallest) of rows[k][i].
  void (*largest_rows)(const float* const* rows, std::int64_t count, std::int64_t length,
                       float* out);
  void (*smallest_rows)(const float* const* rows, std::int64_t count, std::int64_t length,
                        float* out);
};

/// The kernels for this machine.
const FilterKernels& filter_kernels();

}  // namespace aprscope
