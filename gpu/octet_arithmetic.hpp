#pragma once

#include <cstdint>

#include <driver_types.h>

namespace aprscope::gpu {

/// Element-wise arithmetic on values in any one order. a + b, a − b, a · b, a ÷ b (0 where b is 0),
/// the smaller, the larger, a + b², √a (b unused).
enum class Arithmetic { add, subtract, multiply, divide, min, max, add_square, root };

/// out[i] = a[i] ∘ b[i], `out` may be `a` or `b`; `count` is a multiple of 4.
void combine(Arithmetic what, const float* a, const float* b, float* out, std::uint64_t count,
             cudaStream_t stream);
/// out[i] = a[i] ∘ b.
void combine(Arithmetic what, const float* a, float b, float* out, std::uint64_t count,
             cudaStream_t stream);

}  // namespace aprscope::gpu
