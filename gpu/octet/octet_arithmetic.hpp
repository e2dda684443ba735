#pragma once

#include <cstdint>

#include <driver_types.h>

namespace aprscope::gpu {

// Element-wise arithmetic on values in any one order, for magnitudes; `out` may be `a` or `b`,
// `count` is a multiple of 4.

/// out[i] = a[i] + b[i]².
void add_square(const float* a, const float* b, float* out, std::uint64_t count,
                cudaStream_t stream);
/// out[i] = √a[i].
void square_root(const float* a, float* out, std::uint64_t count, cudaStream_t stream);

}  // namespace aprscope::gpu
