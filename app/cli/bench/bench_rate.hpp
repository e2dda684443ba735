#pragma once

#include <cstdint>

namespace aprscope::cli {

/// Multiply–adds of floats that one thread does, `rounds` × a constant; returns how many. Written
/// to reach what the processor can do: independent sums in registers, no memory.
std::int64_t multiply_adds(std::int64_t rounds, float* result);

}  // namespace aprscope::cli
