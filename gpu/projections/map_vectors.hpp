#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "gpu/projections/tile_transform.hpp"

namespace aprscope::gpu {

/// Operations on maps and padded boxes for least squares, see core/projections/least_squares.cpp. A
/// box has padded² rows of padded + 2 floats, which are pixels or half a spectrum.

/// Copies a map (side³) to the corner of a box; the rest of the box becomes 0.
void pad_map(std::int32_t side, std::int32_t padded, const float* map, float* box,
             cudaStream_t stream);
/// Copies the map from the corner of a box.
void crop_map(std::int32_t side, std::int32_t padded, const float* box, float* map,
              cudaStream_t stream);
/// Multiplies each number of a spectrum by the number of a real kernel.
void multiply_spectrum(std::int32_t padded, const float* kernel, float* box, cudaStream_t stream);

/// From the real part of the spectrum of p: `point` = scale · (p + tau), with tau inside the ball
/// only; `weights` = scale ÷ (W + a tenth of the shell's mean + tau) inside the ball, else 0.
void make_kernels(const TileView& tiles, const double* means, const double* tau,
                  std::int32_t padded, float scale, const float* spectrum, float* point,
                  float* weights, cudaStream_t stream);

/// out = a + factor · b; `out` may be `a` or `b`.
void combine_maps(std::int64_t count, const float* a, float factor, const float* b, float* out,
                  cudaStream_t stream);

/// The number of doubles for partial sums that dot_maps() needs.
constexpr int kDotParts = 1024;
/// Stores Σ a b in *total, always added in the same order.
void dot_maps(std::int64_t count, const float* a, const float* b, double* parts, double* total,
              cudaStream_t stream);

}  // namespace aprscope::gpu
