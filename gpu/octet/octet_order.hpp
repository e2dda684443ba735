#pragma once

#include <driver_types.h>

#include "gpu/octet/octets.hpp"

namespace aprscope::gpu {

/// Particle values in linear order → octet order. Slots of interior cells and beyond the image keep
/// what they held (the latter must hold 0).
void to_octets(const OctetView& v, const float* linear, float* octets, cudaStream_t stream);

/// Copies octet order → linear order; interior cells are left out.
void to_linear(const OctetView& v, const float* octets, float* linear, cudaStream_t stream);

/// As to_linear(), for the first `bricks` entries of v.work; other particles are unchanged.
void bricks_to_linear(const OctetView& v, std::uint32_t bricks, const float* octets, float* linear,
                      cudaStream_t stream);

/// out[i] = linear[indices[i]].
void pick(const float* linear, const std::uint32_t* indices, std::uint64_t count, float* out,
          cudaStream_t stream);

}  // namespace aprscope::gpu
