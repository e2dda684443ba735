#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "gpu/projections/tile_transform.hpp"

namespace aprscope::gpu {

/// Work on maps and padded boxes for least squares; see core/projections/least_squares.cpp. A box
/// has padded² rows of padded + 2 floats, pixels or half a spectrum.

/// A box with a map (side³) at its corner, else 0.
void pad_map(std::int32_t side, std::int32_t padded, const float* map, float* box,
             cudaStream_t stream);
/// The map at its corner.
void crop_map(std::int32_t side, std::int32_t padded, const float* box, float* map,
              cudaStream_t stream);
/// Numbers of a spectrum times a real kernel, one for each.
void multiply_spectrum(std::int32_t padded, const float* kernel, float* box, cudaStream_t stream);

/// From the spectrum of p, whose real part counts: `point` = scale · (p + tau), tau within the
/// ball; `weights` = scale ÷ (W + a tenth of the shell's mean + tau) within the ball, else 0.
void make_kernels(const TileView& tiles, const double* means, const double* tau,
                  std::int32_t padded, float scale, const float* spectrum, float* point,
                  float* weights, cudaStream_t stream);

/// out = a + factor · b; out may be one of them.
void combine_maps(std::int64_t count, const float* a, float factor, const float* b, float* out,
                  cudaStream_t stream);

/// Doubles that dot_maps() needs for its parts.
constexpr int kDotParts = 1024;
/// Σ a b to *total, always in the same order.
void dot_maps(std::int64_t count, const float* a, const float* b, double* parts, double* total,
              cudaStream_t stream);

}  // namespace aprscope::gpu
